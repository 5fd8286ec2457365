import Foundation
import NIOHTTP1

/// The known properties of the file on the server, and the capabilities of the server.
struct DownloadSource: Sendable {
    /// The capabilities of the server, as revealed by its responses. Initially, the server is assumed to support
    /// everything.
    struct Capabilities: Sendable {
        var supportsRanges = true
        var supportsIfRange = true
        var maximumConnections = 16
    }

    /// The maximum number of bytes before the requested range that one of several connections skips.
    private static let maximumSkip: Int64 = 1 << 20

    /// The requested URL.
    let source: String
    /// The URL of requests: the source, or the target of its redirects.
    private(set) var url: String
    private(set) var representation: FileIdentity?
    /// The size in bytes. If the server does not state it, it is known only at the end.
    private(set) var size: Int64?
    /// Whether one connection fetches the file from start to end, because the server does not support resuming.
    private(set) var isSinglePass = true
    /// Whether a response has confirmed that the file on the server is the one that is being downloaded.
    private(set) var isConfirmed = false
    var capabilities = Capabilities()

    init(source: String) { (self.source, url) = (source, source) }

    /// Adopts the description in a journal, which a response must confirm.
    mutating func resume(_ journal: DownloadState) {
        (representation, size, isSinglePass) = (journal.file, journal.file.size, false)
        // A damaged journal may hold anything, and no connection could be opened to an invalid URL.
        let isUsable = journal.request.url == source && ServerAddress.origin(journal.file.url) != nil
        url = isUsable ? journal.file.url : source
    }

    /// Discards everything except the capabilities of the server.
    mutating func startOver() {
        (representation, size, isSinglePass, isConfirmed) = (nil, nil, true, false)
        url = source
    }

    /// Returns to the source URL, because the target of a redirect may have expired.
    mutating func returnToSource() { url = source }

    /// Records the end of the body of a file of unknown size.
    mutating func bodyEnded(at size: Int64) { self.size = size }

    // MARK: Responses

    /// Judges a response before its body is read.
    /// - Parameter isOnly: Whether no other connection is open.
    /// - Throws: ``FeedClientError`` `.integrity` if the response is invalid, or the server's checksum is not
    ///   `expectedSHA256`.
    mutating func receive(
        _ response: RangeResponse, to request: RangeRequest, expectedSHA256: String?, isOnly: Bool
    ) throws(FeedClientError) -> ResponseAction {
        switch response {
        case .part(let file, let range):
            try Self.verify(file, expectedSHA256)
            return part(file, range, requested: request.range?.lowerBound ?? 0, isOnly)
        case .whole(let file, let acceptsRanges):
            guard representation == nil else { return .stop(isOnly ? .rangesUnsupported : .rangesIgnored) }
            try Self.verify(file, expectedSHA256)
            return whole(file, acceptsRanges)
        case .changed: return .stop(.fileChanged)
        case .conditionIgnored: return .stop(.ifRangeIgnored)
        case .unsatisfiable: return .stop(.rangesUnsupported)
        case .unknownEnd:
            throw FeedClientError(
                .integrity, "The server does not state the file's size, so a truncated file could not be detected",
                hint: "With --checksum sha-256:HEX, the file is downloaded and verified against it.")
        case .invalid(let defect):
            throw FeedClientError(
                .integrity, defect, hint: "The server does not follow HTTP; download the file with another program.")
        }
    }

    private mutating func part(
        _ file: FileIdentity, _ range: Range<Int64>, requested: Int64, _ isOnly: Bool
    ) -> ResponseAction {
        let skip = requested - range.lowerBound
        if representation == nil {
            // Without a validator, parts of the file cannot be combined.
            if file.validator == nil, range.upperBound != file.size { return .stop(.rangesUnsupported) }
            accept(file, isSinglePass: file.validator == nil)
        } else if skip > Self.maximumSkip, !isOnly {
            return .stop(.rangesIgnored)
        } else {
            (isConfirmed, url) = (true, file.url)
        }
        return .receive(range, skip: skip)
    }

    private mutating func whole(_ file: FileIdentity, _ acceptsRanges: Bool) -> ResponseAction {
        let canResume = file.validator != nil && file.size != nil && acceptsRanges && capabilities.supportsRanges
        accept(file, isSinglePass: !canResume)
        return .receive(0..<(file.size ?? .max), skip: 0)
    }

    private mutating func accept(_ file: FileIdentity, isSinglePass: Bool) {
        (representation, size, self.isSinglePass) = (file, file.size, isSinglePass)
        (isConfirmed, url) = (true, file.url)
    }

    private static func verify(_ file: FileIdentity, _ expectedSHA256: String?) throws(FeedClientError) {
        guard let expectedSHA256, let sha256 = file.sha256, expectedSHA256 != sha256 else { return }
        throw FeedClientError(
            .integrity, "The server offers another file, with the SHA-256 \(sha256)",
            hint: "Check the checksum and the address.")
    }
}

/// Identifies the file that is being downloaded (a selected representation, RFC 9110 §3.2). The first response states it;
/// every later response must match.
struct FileIdentity: Sendable, Equatable, Codable {
    /// The largest size of a file, in bytes. `Int64.max` is the end of a file of unknown size.
    static let maximumSize = Int64.max - 1

    /// The URL of the file, after redirects.
    let url: String
    /// A strong entity tag, or a strong `Last-Modified` instead of it. Without either, a download can neither be
    /// resumed nor use several connections.
    let validator: String?
    /// The size in bytes; `nil` if the server does not state it.
    let size: Int64?
    /// The SHA-256 of the file (`Repr-Digest`, RFC 9530), in lowercase hexadecimal.
    let sha256: String?

    /// The keys of the journal's format.
    private enum CodingKeys: String, CodingKey {
        case url
        case validator = "tag"
        case size = "total"
        case sha256 = "digest"
    }

    /// Whether the validator is an entity tag, not a time.
    var hasEntityTag: Bool { validator?.utf8.first == UInt8(ascii: "\"") }

    /// Whether bytes of both may be combined into one file.
    func matches(_ other: FileIdentity) -> Bool {
        guard let validator, validator == other.validator, size == other.size,
            Self.location(of: url) == Self.location(of: other.url)
        else { return false }
        guard let sha256, let otherSHA256 = other.sha256 else { return true }
        return sha256 == otherSHA256
    }

    /// The identity of a requested file: its URL with the query, but without signatures and tokens, which change.
    static func identity(of url: String) -> String {
        let items = URLComponents(string: url)?.queryItems ?? []
        let query = items.filter { !isSignature($0.name.lowercased()) }.map { "\($0.name)=\($0.value ?? "")" }
        return location(of: url) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The parameters of signed URLs of Amazon, Google, Azure and others.
    private static func isSignature(_ name: String) -> Bool {
        let words = ["signature", "sig", "token", "access_token", "expires", "policy", "key-pair-id", "hash", "hmac"]
        return words.contains(name) || ["x-amz-", "x-goog-"].contains { name.hasPrefix($0) }
            || ["se", "sp", "sv", "sr", "st", "ske", "skt", "sks", "skv", "skoid", "sktid"].contains(name)
    }

    /// A URL without its query, because signatures and tokens in a query change.
    static func location(of url: String) -> String {
        (ServerAddress.origin(url) ?? url) + (URL(string: url)?.path ?? "")
    }
}
