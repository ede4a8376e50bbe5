"""The public library: what ``import ryugi_engine`` offers; ``API.md`` is its guide."""
