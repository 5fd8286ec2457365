import Foundation

/// A response before it is sent, and the faults that occur while it is sent.
struct FaultResponse: Sendable {
    /// The framing of the body.
    enum Framing: Sendable { case length, chunked, close }

    /// The end of the response.
    enum Ending: Sendable, Equatable {
        case clean
        /// The connection is closed after this many bytes of the body, with a FIN or an RST.
        case cut(after: Int, reset: Bool)
        /// Nothing is sent after this many bytes of the body, until the client disconnects.
        case stall(after: Int)
        /// The body never ends.
        case endless
        /// The connection is closed without a response.
        case silence
        /// The header never ends.
        case endlessHead
        /// Nothing is sent after this many bytes of the header.
        case stalledHead(after: Int)
        /// The header never ends and is sent byte by byte.
        case drippingHead
    }

    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = Data()
    /// Sent before the status line.
    var preface = ""
    var framing = Framing.length
    var ending = Ending.clean
    /// The number of bytes that are sent at once, and the pause after them in milliseconds.
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

    /// The response of a correct server (RFC 9110 §14).
    static func honest(_ request: FaultRequest, _ file: OfferedFile) -> FaultResponse {
        guard let range = request.range, condition(request, file) else { return whole(file) }
        let size = file.bytes.count
        guard range.first < size else {
            var response = FaultResponse(416)
            response.validators(of: file)
            response["Content-Range"] = "bytes */\(size)"
            return response
        }
        return part(file, max(0, range.first)...max(range.first, min(range.last ?? .max, size - 1)))
    }

    static func whole(_ file: OfferedFile) -> FaultResponse {
        var response = FaultResponse(200)
        response.validators(of: file)
        response.body = file.bytes
        return response
    }

    /// - Parameter range: A range within the file.
    static func part(_ file: OfferedFile, _ range: ClosedRange<Int>) -> FaultResponse {
        var response = FaultResponse(206)
        response.validators(of: file)
        response["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound)/\(file.bytes.count)"
        response.body = file.bytes[range]
        return response
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
