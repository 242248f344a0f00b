"""Every event becomes an entry of a Redis stream, for programs that read at their own pace."""
