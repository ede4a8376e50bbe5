"""Games and counts on other processes and machines, by Dask's ``distributed``."""
