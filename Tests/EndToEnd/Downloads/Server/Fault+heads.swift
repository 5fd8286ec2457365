import Foundation

/// Invalid or unusual status lines and headers.
extension Fault {
    static func header(_ name: String, _ value: String?) -> Fault {
        changingResponse { response, _, _ in response[name] = value }
    }

    /// A new entity tag in every response.
    static let freshTag = changingResponse { response, request, _ in response["ETag"] = "\"response-\(request.number)\""
    }

    /// A response without the file.
    static func status(_ status: Int, _ headers: [(String, String)] = []) -> Fault {
        changingResponse { response, _, _ in
            response = FaultResponse(status)
            for (name, value) in headers { response[name] = value }
            response.body = Data("{\"error\":\"The server says \(status)\"}".utf8)
        }
    }

    /// - Parameter place: `{own}` and `{other}` are the two addresses of the server, `{path}` is the requested path.
    static func redirect(_ place: String, _ status: Int = 302) -> Fault { .status(status, [("Location", place)]) }

    /// Each response redirects to another URL on the same server.
    static let redirectsForever = changingResponse { response, request, _ in
        response = FaultResponse(302)
        response["Location"] = "{own}/again-\(request.number)/file.bin"
    }

    /// A header field of this size.
    static func hugeHeader(_ bytes: Int) -> Fault { .header("X-Huge", String(repeating: "x", count: bytes)) }

    static let endlessHead = ending { _ in .endlessHead }
    static let drippingHead = ending { _ in .drippingHead }

    static func stalledHead(after bytes: Int) -> Fault { ending { _ in .stalledHead(after: bytes) } }

    /// An error status with a `Retry-After` date this many seconds in the future.
    static func busy(_ status: Int, seconds: Int) -> Fault {
        changingResponse { response, _, _ in
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            response = FaultResponse(status)
            response["Retry-After"] = formatter.string(from: Date() + Double(seconds))
        }
    }

    /// The content coding `gzip`, declared and applied.
    static let gzip = changingResponse { response, _, _ in
        guard response.status == 200 || response.status == 206 else { return }
        response["Content-Encoding"] = "gzip"
        response.body = Gzip.stored(response.body)
    }

    /// The unrequested transfer coding `gzip` below `chunked`.
    static let transferGzip = changingResponse { response, _, _ in
        response["Transfer-Encoding"] = "gzip, chunked"
        response.framing = .chunked
        response.body = Gzip.stored(response.body)
    }

    /// A response that is not HTTP.
    static let garbage = changingResponse { response, _, _ in response.preface = "SSH-2.0-OpenSSH_9.2\r\n" }

    /// This many interim responses (RFC 9110 §15.2) before the final one.
    static func interim(_ count: Int) -> Fault {
        changingResponse { response, _, _ in
            response.preface = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n", count: count)
        }
    }

    /// An error whose message contains control characters.
    static func hostileWords(_ status: Int) -> Fault {
        changingResponse { response, _, _ in
            response = FaultResponse(status)
            response.body = Data(#"{"error":"\u001b[31mred\u001b]52;c;ZXZpbA==\u0007\u202e\nhint: run evil"}"#.utf8)
        }
    }

    static func ending(_ ending: @escaping @Sendable (FaultResponse) -> FaultResponse.Ending) -> Fault {
        changingResponse { response, _, _ in response.ending = ending(response) }
    }
}

/// The gzip format (RFC 1952) without compression, which suffices for a valid coding.
enum Gzip {
    static func stored(_ bytes: Data) -> Data {
        var result = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result.append(little(UInt16(block.count)) + little(~UInt16(block.count)) + block)
        } while !rest.isEmpty
        return result + little(crc(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func little(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc(_ bytes: Data) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
}
