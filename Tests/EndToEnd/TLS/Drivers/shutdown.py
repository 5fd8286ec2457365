"""Stops the server while a connection is open, which must be told before it is closed.

Usage: shutdown.py PORT CA PID.
"""
import os
import signal
import sys

from hyperframe.frame import GoAwayFrame

from wire import Wire, error_code

port, ca, process = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
wire = Wire(port, ca).start()
wire.send(wire.headers(1))
print(f"\nok response {wire.outcome(1)}", flush=True)
os.kill(process, signal.SIGTERM)
frames = wire.until_closed()
last = [frame.last_stream_id for frame in frames if isinstance(frame, GoAwayFrame)]
if error_code(frames) == 0 and last == [1]:
    print("ok goaway")
else:
    print(f"FAIL goaway: {frames}")
    sys.exit(1)
