import FeedCore
import FeedFiles
import HTTPTypes
import NIOHTTP1

/// A request that a stored response may answer, because nothing in it requires more than to look that response up, with
/// everything that follows from its head alone. Pure.
///
/// All others take the ordinary path, which is the only place that knows how to refuse a request.
final class PlainRequest: Sendable {
    /// The maximum length of the target in bytes.
    private static let targetLimit = 1024

    let head: HTTPRequestHead
    let isHead: Bool
    let host: String
    /// The hash of the bearer token, if there is one.
    let tokenHash: [UInt8]?
    /// The coding that the client prefers.
    let coding: ContentCoding
    let userAgent: String?
    let requestID: String?
    /// Whether a field names the client, as those of proxies do.
    let isForwarded: Bool
    private let ifNoneMatch: String?

    var target: String { head.uri }
    /// The part of the target after `?`, if there is one.
    var query: String? {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[target.utf8.index(after: $0)...]) }
    }

    /// The approximate memory in bytes.
    /// - Parameter bytes: The length of the head.
    func cost(bytes: Int) -> Int { 512 + 3 * bytes + 128 * head.headers.count }

    /// - Returns: `nil` for a request that must take the ordinary path.
    init?(_ head: HTTPRequestHead) {
        guard head.version == .http1_1, head.method == .GET || head.method == .HEAD, Self.isOriginForm(head.uri),
            let fields = PlainFields(head.headers), let host = fields.host
        else { return nil }
        self.head = head
        self.host = host
        isHead = head.method == .HEAD
        tokenHash = fields.authorization.flatMap(Services.bearer).map(AccessTokens.hash)
        coding = ContentCoding(accepted: fields.acceptEncoding)
        userAgent = fields.userAgent
        requestID = fields.requestID
        isForwarded = fields.isForwarded
        ifNoneMatch = fields.ifNoneMatch
    }

    /// Whether the client has the content with this entity tag.
    func has(_ tag: EntityTag) -> Bool {
        guard let ifNoneMatch else { return false }
        return ifNoneMatch == tag.text || Preconditions.isNotModified([.ifNoneMatch: ifNoneMatch], tag)
    }

    /// Whether the target is in origin form, and in ASCII, since different Unicode texts can be equal as keys.
    private static func isOriginForm(_ target: String) -> Bool {
        let bytes = target.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/") else { return false }
        return bytes.count <= targetLimit && bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The header fields of a plain request. Pure.
private struct PlainFields {
    var host: String?
    var authorization: String?
    var ifNoneMatch: String?
    var acceptEncoding: String?
    var userAgent: String?
    var requestID: String?
    var isForwarded = false

    /// - Returns: `nil` if a field requires the ordinary path.
    init?(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            guard read(name.lowercased(), value) else { return nil }
        }
    }

    /// - Returns: Whether the request may still be plain.
    private mutating func read(_ name: String, _ value: String) -> Bool {
        switch name {
        case "host": return Self.set(&host, value)
        case "authorization": return Self.set(&authorization, value)
        case "if-none-match": return !EntityTagList.isTooLong([value]) && Self.set(&ifNoneMatch, value)
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
    private static func isPlain(_ value: String) -> Bool {
        value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !RequestHeadRules.hasOuterBlanks(value)
    }
}
