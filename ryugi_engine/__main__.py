"""``python -m ryugi_engine`` is ``ryugi-engine``."""

from ryugi_engine.cli import main

raise SystemExit(main())
