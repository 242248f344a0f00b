"""What happened on the site, told to those who want to know: at least once, whatever dies on the way.

An event's row is written in the transaction of the change that it tells of. From there it goes without a request
waiting for it: one process at a time asks the sinks whom they want told, each target has a lane in which deliveries go
out one after the other, and a lane belongs to one process at a time.
"""
