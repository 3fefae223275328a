import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
newest = {}  # The newest change of each event; a real receiver stores it with the event.


def verify(headers, body):
    timestamp = headers.get("webhook-timestamp", "0")
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(one, f"v1,{expected}") for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        is_valid = verify(self.headers, body)
        self.send_response(204 if is_valid else 400)
        self.end_headers()
        if is_valid:
            handle(json.loads(body))


def handle(message):
    data = message["data"]
    # A change may come twice, or after a later one.
    if int(data.get("id", 0)) > int(newest.get(data.get("eventId"), 0)):
        newest[data["eventId"]] = data["id"]
        print(message["type"], data["slug"], *data["fields"], flush=True)


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
