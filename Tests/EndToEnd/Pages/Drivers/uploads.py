"""Uploads of media with a text, by the API."""

import json
import time
import urllib.request
import uuid


def upload(address, token, data, text, name="picture.png"):
    """Returns the id of the media once it is processed."""
    boundary = uuid.uuid4().hex
    # As browsers write names (HTML Standard, "multipart/form-data encoding algorithm").
    for character, code in [('"', "%22"), ("\r", "%0D"), ("\n", "%0A")]:
        name = name.replace(character, code)
    body = (f'--{boundary}\r\nContent-Disposition: form-data; name="description"\r\n\r\n{text}\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n').encode()
    body += data + f"\r\n--{boundary}--\r\n".encode()
    request = urllib.request.Request(address + "/api/v2/media", data=body, method="POST")
    request.add_header("Content-Type", "multipart/form-data; boundary=" + boundary)
    request.add_header("Authorization", "Bearer " + token)
    with urllib.request.urlopen(request, timeout=300) as response:
        media = json.load(response)["id"]
    status = urllib.request.Request(address + "/api/v1/media/" + media)
    status.add_header("Authorization", "Bearer " + token)
    # 206 until it is processed, which may take long on a busy machine.
    while urllib.request.urlopen(status, timeout=300).status == 206:
        time.sleep(0.1)
    return media
