"""The process and its signals; pools of threads."""
