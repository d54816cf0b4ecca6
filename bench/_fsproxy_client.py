"""The same as _fsproxy_client.ts, with the client of the examples."""

import base64, os, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "examples"))
sys.dont_write_bytecode = True
import fsproxy_client

total, chunk, window = map(int, sys.argv[1:4])
client = fsproxy_client.connect(chunk)
file = client.open("in")
begin = time.perf_counter()
asked, sent, received = [], 0, 0
while received < total:
    while len(asked) < window and sent < total:
        asked.append(client.send("read", h=file.handle, max=chunk))
        sent += chunk
    received += len(base64.b64decode(client.receive(asked.pop(0))["data"]))
print(time.perf_counter() - begin)
