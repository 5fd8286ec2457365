"""Sends HTTP/2 frames that no correct client sends. After each case, other clients must still be served.

Usage: hostile.py PORT CA. Prints a line for each case; the exit code is 1 if one failed.
"""
import sys

from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    HeadersFrame,
    PingFrame,
    PriorityFrame,
    PushPromiseFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from wire import PREFACE, Wire, error_code, get

CASES = []
FLOOD = 3000


def case(*expected):
    """Registers a case. It must return one of the expected outcomes."""

    def register(function):
        CASES.append((function.__name__, expected, function))
        return function

    return register


def flood(wire, frames):
    """Writes until the server closes the connection."""
    for frame in frames:
        wire.send(frame)
        if wire.closed:
            return "closed"
    return closed(wire)


def closed(wire):
    wire.until_closed()
    return "closed"


def upload(wire, stream, fields=()):
    """The beginning of a request whose handler waits for the body."""
    form = ("content-type", "application/x-www-form-urlencoded")
    return wire.headers(stream, [form, *fields], method="POST", path="/api/v1/apps", ends=False)


# Floods


@case("closed")
def rapid_reset(wire):
    wire.start()
    path = "/api/v1/timelines/public"
    for stream in range(1, FLOOD * 2, 2):
        wire.send(wire.headers(stream, path=path), RstStreamFrame(stream, error_code=8))
        if wire.closed:
            return "closed"
    return closed(wire)


@case("closed")
def continuation_flood(wire):
    wire.start()
    first = HeadersFrame(1, wire.encoder.encode([(":method", "GET")]))
    wire.send(first)
    return flood(wire, (ContinuationFrame(1, b"") for _ in range(FLOOD)))


@case("closed")
def settings_flood(wire):
    return flood(wire.start(), (SettingsFrame(0, settings={3: 100}) for _ in range(FLOOD)))


@case("closed")
def ping_flood(wire):
    return flood(wire.start(), (PingFrame(0, opaque_data=b"12345678") for _ in range(FLOOD)))


@case("closed")
def priority_flood(wire):
    return flood(wire.start(), (PriorityFrame(number, depends_on=0) for number in range(1, FLOOD * 2, 2)))


@case("closed")
def empty_data_flood(wire):
    wire.start().send(upload(wire, 1))
    return flood(wire, (DataFrame(1, b"") for _ in range(FLOOD)))


@case("closed")
def flood_of_malformed_requests(wire):
    wire.start()
    for stream in range(1, FLOOD * 2, 2):
        wire.send(wire.headers(stream, [("UPPER", "case")]))
        if wire.closed:
            return "closed"
    return closed(wire)


@case("closed")
def too_many_streams(wire):
    wire.start()
    for stream in range(1, 400, 2):
        wire.send(upload(wire, stream))
        if wire.closed:
            return "closed"
    return closed(wire)


# Sizes


@case("closed")
def header_block_over_the_limit(wire):
    wire.start()
    block = wire.encoder.encode([(":method", "GET"), ("x-large", "a" * 60_000)], huffman=False)
    pieces = [block[start : start + 16_000] for start in range(0, len(block), 16_000)]
    wire.send(HeadersFrame(1, pieces[0]), *(ContinuationFrame(1, piece) for piece in pieces[1:]))
    return closed(wire)


@case("closed")
def header_list_larger_than_its_compressed_form(wire):
    wire.start()
    fields = [("x-bomb", "a" * 3900)]
    # The first field enters the table; each repetition is one byte.
    wire.send(wire.headers(1, fields * 30))
    return closed(wire)


@case(431)
def too_many_fields(wire):
    wire.start().send(wire.headers(1, [(f"x-{number}", "1") for number in range(250)]))
    return wire.outcome(1)


@case("closed")
def frame_over_the_limit(wire):
    wire.start().write((20_000).to_bytes(3, "big") + b"\x00\x00\x00\x00\x00\x01" + b"a" * 20_000)
    return closed(wire)


# Windows


@case("closed")
def window_of_the_connection_overflows(wire):
    wire.start().send(*(WindowUpdateFrame(0, window_increment=2**31 - 1) for _ in range(2)))
    return closed(wire)


@case("closed")
def window_grows_by_nothing(wire):
    wire.start().write(b"\x00\x00\x04\x08\x00\x00\x00\x00\x00" + b"\x00\x00\x00\x00")
    return closed(wire)


@case("closed")
def initial_window_over_the_limit(wire):
    wire.start().write(b"\x00\x00\x06\x04\x00\x00\x00\x00\x00" + b"\x00\x04\x80\x00\x00\x00")
    return closed(wire)


@case("reset", "closed")
def window_of_a_stream_overflows(wire):
    wire.start().send(upload(wire, 1))
    wire.send(*(WindowUpdateFrame(1, window_increment=2**31 - 1) for _ in range(2)))
    return wire.outcome(1)


@case("refused", "reset", "closed")
def more_data_than_the_window(wire):
    wire.start().send(upload(wire, 1))
    wire.send(*(DataFrame(1, b"a" * 16_000) for _ in range(200)))
    outcome = wire.outcome(1)
    return "refused" if isinstance(outcome, int) and outcome >= 400 else outcome


@case("held")
def windows_that_never_open(wire):
    wire.start({4: 0})
    for stream in range(1, 180, 2):
        wire.send(wire.headers(stream, path="/files/large"))
    for _ in range(20):
        wire.receive()
    return "held"


# Order and form


@case("closed")
def no_preface(wire):
    wire.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + b"\x00" * 100)
    return closed(wire)


@case("closed")
def preface_without_settings(wire):
    wire.write(PREFACE + wire.headers(1).serialize())
    return closed(wire)


@case("closed")
def silence(wire):
    wire.start()
    frames = wire.until_closed()
    return "closed" if error_code(frames) == 0 else f"closed with {error_code(frames)}"


@case("closed")
def data_without_stream(wire):
    wire.start().write(b"\x00\x00\x01\x00\x00\x00\x00\x00\x00a")
    return closed(wire)


@case("closed")
def data_before_headers(wire):
    wire.start().send(DataFrame(1, b"a"))
    return closed(wire)


@case("closed")
def stream_of_the_server(wire):
    wire.start().send(wire.headers(2))
    return closed(wire)


@case("closed")
def push_from_the_client(wire):
    wire.start().send(upload(wire, 1))
    frame = PushPromiseFrame(1, promised_stream_id=2, data=wire.encoder.encode([(":method", "GET")]))
    frame.flags.add("END_HEADERS")
    wire.send(frame)
    return closed(wire)


@case("closed")
def malformed_compression(wire):
    frame = HeadersFrame(1, b"\xff\xff\xff\xff\xff\xff\xff\xff")
    frame.flags.add("END_HEADERS")
    wire.start().send(frame)
    return closed(wire)


@case("reset", "closed")
def uppercase_name(wire):
    wire.start().send(wire.headers(1, [("Upper", "case")]))
    return wire.outcome(1)


@case("reset", "closed")
def transfer_encoding(wire):
    wire.start().send(wire.headers(1, [("transfer-encoding", "chunked")], method="POST"))
    return wire.outcome(1)


@case("reset", "closed")
def line_break_in_a_value(wire):
    wire.start().send(wire.headers(1, [("x-split", "a\r\nb: c")]))
    return wire.outcome(1)


@case("reset", "closed")
def body_shorter_than_declared(wire):
    wire.start().send(wire.headers(1, [("content-length", "5")], method="POST", path="/api/v1/apps"))
    return wire.outcome(1)


@case("reset", "closed", 400)
def lengths_that_differ(wire):
    fields = [("content-length", "5"), ("content-length", "6")]
    wire.start().send(upload(wire, 1, fields))
    return wire.outcome(1)


def refused(name, pseudo, fields=()):
    @case(400, "reset", "closed")
    def run(wire):
        wire.start().send(wire.headers(1, fields, pseudo=pseudo))
        return wire.outcome(1)

    CASES[-1] = (name,) + CASES[-1][1:]


GET, HTTPS, HOST, PATH = (":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/health")
refused("no_host", [GET, HTTPS, PATH])
refused("malformed_host", [GET, HTTPS, (":authority", "local host"), PATH])
refused("user_in_the_host", [GET, HTTPS, (":authority", "a@localhost"), PATH])
refused("two_hosts", [GET, HTTPS, HOST, PATH], [("host", "other")])
refused("no_path", [GET, HTTPS, HOST])
refused("empty_path", [GET, HTTPS, HOST, (":path", "")])
refused("path_without_slash", [GET, HTTPS, HOST, (":path", "health")])
refused("space_in_the_path", [GET, HTTPS, HOST, (":path", "/he alth")])
refused("no_method", [HTTPS, HOST, PATH])
refused("malformed_method", [(":method", "GE T"), HTTPS, HOST, PATH])
refused("connect", [(":method", "CONNECT"), HOST])
refused("unknown_pseudo_field", [GET, HTTPS, HOST, PATH, (":feed", "1")])


@case(200)
def scheme_of_the_client_is_ignored(wire):
    wire.start().send(wire.headers(1, pseudo=[GET, (":scheme", "http"), HOST, PATH]))
    return wire.outcome(1)


def main():
    port, ca = int(sys.argv[1]), sys.argv[2]
    print(f"{len(CASES)} cases")
    failed = False
    for name, expected, function in CASES:
        wire = Wire(port, ca)
        try:
            outcome = function(wire)
            status, _ = get(port, ca)
            problem = None if outcome in expected else f"expected {expected}, got {outcome}"
            if status != 200:
                problem = f"afterwards, others got {status}"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        finally:
            wire.close()
        failed = failed or problem is not None
        print(f"FAIL {name}: {problem}" if problem else f"ok {name}", flush=True)
    sys.exit(1 if failed else 0)


main()
