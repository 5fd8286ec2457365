import FeedFiles
import HTTPTypes
import NIOHTTP1

/// A request that a stored response may answer, because nothing in it requires more than to look that response up. Pure.
///
/// All others take the ordinary path, which is the only place that knows how to refuse a request.
struct PlainRequest: Equatable {
    /// The maximum length of the target in bytes.
    private static let targetLimit = 1024

    let isHead: Bool
    let target: String
    private(set) var host = ""
    private(set) var authorization: String?
    private(set) var ifNoneMatch: String?
    private(set) var acceptEncoding: String?
    private(set) var userAgent: String?
    private(set) var requestID: String?
    /// Whether a field names the client, as those of proxies do.
    private(set) var isForwarded = false

    /// - Returns: `nil` for a request that must take the ordinary path.
    init?(_ head: HTTPRequestHead) {
        guard head.version == .http1_1, head.method == .GET || head.method == .HEAD, Self.isOriginForm(head.uri)
        else { return nil }
        isHead = head.method == .HEAD
        target = head.uri
        var host: String?
        for (name, value) in head.headers {
            guard read(name.lowercased(), value, host: &host) else { return nil }
        }
        guard let host else { return nil }
        self.host = host
    }

    /// Whether the client has the content with this entity tag.
    func has(_ tag: EntityTag) -> Bool {
        guard let ifNoneMatch else { return false }
        return ifNoneMatch == tag.text || Preconditions.isNotModified([.ifNoneMatch: ifNoneMatch], tag)
    }

    /// - Returns: Whether the request may still be plain.
    private mutating func read(_ name: String, _ value: String, host: inout String?) -> Bool {
        switch name {
        case "host": return Self.set(&host, value)
        case "authorization": return Self.set(&authorization, value)
        case "if-none-match": return Self.set(&ifNoneMatch, value)
        case "accept-encoding": return Self.set(&acceptEncoding, value)
        case "user-agent": return Self.set(&userAgent, value)
        case "x-request-id": return Self.set(&requestID, value)
        case "connection": return value.lowercased() == "keep-alive"
        case "x-forwarded-for", "forwarded":
            isForwarded = true
            return Self.isPlain(value)
        case "x-forwarded-proto": return Self.isPlain(value)
        case "content-length", "transfer-encoding", "trailer", "expect", "upgrade", "range", "if-range", "if-match",
            "if-unmodified-since":
            return false
        default: break
        }
        return true
    }

    /// Sets a field that must occur only once.
    private static func set(_ field: inout String?, _ value: String) -> Bool {
        guard field == nil, isPlain(value) else { return false }
        field = value
        return true
    }

    /// Whether the codec leaves the value unchanged.
    private static func isPlain(_ value: String) -> Bool { value.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// Whether the target is in origin form, and in ASCII, since different Unicode texts can be equal as keys.
    private static func isOriginForm(_ target: String) -> Bool {
        let bytes = target.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/") else { return false }
        return bytes.count <= targetLimit && bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
