import Foundation

/// An answer before it is sent, with everything that is to go wrong on the way.
struct FaultAnswer: Sendable {
    /// The framing of the body.
    enum Framing: Sendable { case length, chunked, close }

    /// How the body ends.
    enum Ending: Sendable, Equatable {
        case clean
        /// The connection is closed after so many bytes of the body, politely or with a reset.
        case cut(after: Int, reset: Bool)
        /// Silence after so many bytes, until the client goes away.
        case stall(after: Int)
        /// The body never ends.
        case endless
        /// Closed without a word.
        case silence
        /// Header lines without end.
        case endlessHead
        /// Silence after so many bytes of the head.
        case stalledHead(after: Int)
        /// Header lines without end, byte by byte.
        case drippingHead
    }

    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = Data()
    /// Sent before the status line.
    var preface = ""
    var framing = Framing.length
    var ending = Ending.clean
    /// Bytes that are sent at once, and the pause behind them in milliseconds.
    var piece = 64 << 10
    var pause = 0

    init(_ status: Int) { self.status = status }

    /// A header field; setting one replaces all fields with the same name, and `nil` removes them.
    subscript(_ name: String) -> String? {
        get { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { headers.append((name, newValue)) }
        }
    }

    /// What a server without faults answers (RFC 9110 §14).
    static func honest(_ request: FaultRequest, _ file: OfferedFile) -> FaultAnswer {
        guard let range = request.range, condition(request, file) else { return whole(file) }
        let size = file.bytes.count
        guard range.first < size else {
            var answer = FaultAnswer(416)
            answer.validators(of: file)
            answer["Content-Range"] = "bytes */\(size)"
            return answer
        }
        return part(file, max(0, range.first)...max(range.first, min(range.last ?? .max, size - 1)))
    }

    static func whole(_ file: OfferedFile) -> FaultAnswer {
        var answer = FaultAnswer(200)
        answer.validators(of: file)
        answer.body = file.bytes
        return answer
    }

    /// - Parameter range: Within the file.
    static func part(_ file: OfferedFile, _ range: ClosedRange<Int>) -> FaultAnswer {
        var answer = FaultAnswer(206)
        answer.validators(of: file)
        answer["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound)/\(file.bytes.count)"
        answer.body = file.bytes[range]
        return answer
    }

    private static func condition(_ request: FaultRequest, _ file: OfferedFile) -> Bool {
        guard let wanted = request.headers["if-range"] else { return true }
        let isStrong = file.tag?.hasPrefix("\"") ?? false
        return isStrong && wanted == file.tag || file.modified != nil && wanted == file.modified
    }

    private mutating func validators(of file: OfferedFile) {
        self["Accept-Ranges"] = "bytes"
        self["Content-Type"] = "application/octet-stream"
        self["Date"] = "Sat, 21 Nov 2026 10:00:00 GMT"
        self["ETag"] = file.tag
        self["Last-Modified"] = file.modified
        self["Repr-Digest"] = file.digest
    }
}
