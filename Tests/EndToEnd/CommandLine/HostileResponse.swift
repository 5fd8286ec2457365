import Foundation

/// Responses that no honest server sends.
enum HostileResponse {
    /// Escape sequences, control characters of all kinds, overrides of the direction, and a forged hint.
    static let controls =
        "\u{1B}]52;c;ZXZpbA==\u{7}\u{1B}[31mred\u{9B}2J\u{8}\u{7F}\u{202E}\u{2066}\u{0}\r\nhint: run evil"

    /// A body without an end.
    static func endless(status: Int = 200, type: String = "application/json", _ start: String = "[") -> FaultResponse {
        var response = FaultResponse.text(start, status: status, [("Content-Type", type)])
        (response.framing, response.ending) = (.chunked, .endless)
        return response
    }

    /// A body whose declared size is 1 TiB.
    static var enormous: FaultResponse {
        var response = FaultResponse.text("[", [("Content-Length", "\(1 << 40)")])
        response.ending = .endless
        return response
    }

    /// 1 GiB of spaces in 7 MiB.
    static func bomb(type: String = "application/json") -> FaultResponse {
        var response = FaultResponse.text("", [("Content-Type", type), ("Content-Encoding", "gzip")])
        response.body = GzipBomb.file
        return response
    }

    /// Lists in lists.
    static let deep = FaultResponse.text(String(repeating: "[", count: 15 << 20))
    /// As many faulty elements as fit into a response.
    static let wide = FaultResponse.text("[" + String(repeating: "{},", count: 5 << 20) + "{}]")

    static func redirect(_ target: String) -> FaultResponse { .text("", status: 302, [("Location", target)]) }

    /// A page with a link to another one.
    static func page(_ body: String, next: String) -> FaultResponse {
        .text(body, [("Link", "<http://127.0.0.1/?max_id=\(next)>; rel=\"next\"")])
    }
}

/// A gzip file (RFC 1952) that repeats a space. It lacks the end, which a decompressor would reach last.
private enum GzipBomb {
    /// The number of cycles; each has 8 repetitions of 258 bytes.
    private static let cycles = (1 << 30) / (8 * 258)
    /// A repetition has 13 bits, so the bits are the same after 8 of them.
    private static let cycleLength = 13

    static let file: Data = {
        // A block with fixed codes (RFC 1951 §3.2.6): a space, then 258 bytes from a distance of 1, again and again.
        var bits = [1, 1, 0] + [0, 1, 0, 1, 0, 0, 0, 0]
        for _ in 0..<16 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
        let bytes = stride(from: 0, to: (2 + cycleLength) * 8, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[start + $1]) << UInt8($1) }
        }
        var file = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]) + Data(bytes.prefix(2))
        let cycle = Data(bytes.dropFirst(2))
        file.reserveCapacity(file.count + cycles * cycleLength)
        for _ in 0..<cycles { file += cycle }
        return file
    }()
}
