"""A TLS connection on which tests write any HTTP/2 frame, and well-behaved requests to compare with."""
import socket
import ssl

import h2.config
import h2.connection
import h2.events
from hpack import Encoder
from hyperframe.frame import Frame, GoAwayFrame, HeadersFrame, RstStreamFrame, SettingsFrame

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
# Only ends a test that hangs.
PATIENCE = 300


class Wire:
    """A connection that reports its end instead of raising errors."""

    def __init__(self, port, ca):
        context = ssl.create_default_context(cafile=ca)
        context.set_alpn_protocols(["h2"])
        raw = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket = context.wrap_socket(raw, server_hostname="localhost")
        assert self.socket.selected_alpn_protocol() == "h2", "no HTTP/2"
        self.encoder = Encoder()
        self.buffer = b""
        self.closed = False

    def start(self, settings=None):
        """Sends the connection preface."""
        self.write(PREFACE + SettingsFrame(0, settings=settings or {}).serialize())
        return self

    def write(self, data):
        try:
            self.socket.sendall(data)
        except TimeoutError:
            raise
        except OSError:
            self.closed = True

    def send(self, *frames):
        self.write(b"".join(frame.serialize() for frame in frames))

    def headers(self, stream, fields=(), method="GET", path="/health", ends=True, pseudo=None):
        """A HEADERS frame. `pseudo` replaces the pseudo-header fields."""
        if pseudo is None:
            pseudo = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
        frame = HeadersFrame(stream, self.encoder.encode(list(pseudo) + list(fields)))
        frame.flags.add("END_HEADERS")
        if ends:
            frame.flags.add("END_STREAM")
        return frame

    def receive(self):
        """The next frame; None at the end of the connection."""
        while len(self.buffer) < 9 or len(self.buffer) < 9 + self._length():
            try:
                piece = self.socket.recv(65536)
            except TimeoutError:
                raise
            except OSError:
                piece = b""
            if not piece:
                self.closed = True
                return None
            self.buffer += piece
        length = self._length()
        frame, _ = Frame.parse_frame_header(memoryview(self.buffer[:9]))
        frame.parse_body(memoryview(self.buffer[9 : 9 + length]))
        self.buffer = self.buffer[9 + length :]
        return frame

    def _length(self):
        return int.from_bytes(self.buffer[:3], "big")

    def until_closed(self):
        """All frames until the server closes the connection."""
        frames = []
        while (frame := self.receive()) is not None:
            frames.append(frame)
        return frames

    def outcome(self, stream):
        """The response's status, or "reset", or "closed"."""
        from hpack import Decoder

        decoder = Decoder()
        while (frame := self.receive()) is not None:
            if isinstance(frame, GoAwayFrame) and frame.error_code:
                return "closed"
            if isinstance(frame, RstStreamFrame) and frame.stream_id == stream:
                return "reset"
            if isinstance(frame, HeadersFrame) and "END_HEADERS" in frame.flags:
                status = dict(decoder.decode(frame.data)).get(":status")
                if frame.stream_id == stream and status != "100":
                    return int(status)
        return "closed"

    def close(self):
        try:
            self.socket.close()
        except OSError:
            pass


def error_code(frames):
    """The error of the last GOAWAY; None without one."""
    codes = [frame.error_code for frame in frames if isinstance(frame, GoAwayFrame)]
    return codes[-1] if codes else None


def get(port, ca, path="/health"):
    """A request of a correct client: the status and the body."""
    wire = Wire(port, ca)
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
    connection.initiate_connection()
    stream = connection.get_next_available_stream_id()
    fields = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
    connection.send_headers(stream, fields, end_stream=True)
    wire.socket.sendall(connection.data_to_send())
    status, body = None, b""
    while True:
        data = wire.socket.recv(65536)
        assert data, "the connection was closed"
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.ResponseReceived):
                status = int(dict(event.headers)[":status"])
            elif isinstance(event, h2.events.DataReceived):
                body += event.data
                connection.acknowledge_received_data(event.flow_controlled_length, stream)
            elif isinstance(event, h2.events.StreamEnded):
                wire.close()
                return status, body
        wire.socket.sendall(connection.data_to_send())
