import NIOHTTP1

/// What is known about the file on the server, and how the server lets it be downloaded. Pure.
struct RemoteFile: Sendable {
    /// What the server's responses have revealed about it. It supports everything until proven otherwise.
    struct Capabilities: Sendable {
        var supportsRanges = true
        var supportsIfRange = true
        var maximumConnections = 16
    }

    /// Each of several connections skips at most this many bytes before the range that it requested.
    private static let maximumSkip: Int64 = 1 << 20

    /// The requested URL.
    let source: String
    /// Where requests go: the source, or where its redirects led.
    private(set) var url: String
    private(set) var representation: Representation?
    /// In bytes; known only at the end if the server does not state it.
    private(set) var size: Int64?
    /// Whether one connection fetches the file from start to end, because the server does not support resuming.
    private(set) var isSinglePass = true
    /// Whether a response has confirmed that the file on the server is the one that is being downloaded.
    private(set) var isConfirmed = false
    var capabilities = Capabilities()

    init(source: String) { (self.source, url) = (source, source) }

    /// Adopts the description in a journal, which a response must confirm.
    mutating func resume(_ journal: DownloadJournal) {
        (representation, size, isSinglePass) = (journal.file, journal.file.size, false)
        // A damaged journal may hold anything, and no connection could be opened to an invalid URL.
        let isUsable = journal.request.url == source && ServerAddress.origin(journal.file.url) != nil
        url = isUsable ? journal.file.url : source
    }

    /// Forgets everything but the server's capabilities.
    mutating func startOver() {
        (representation, size, isSinglePass, isConfirmed) = (nil, nil, true, false)
        url = source
    }

    /// Forgets redirects, whose target may have expired.
    mutating func returnToSource() { url = source }

    /// The body of a file of unknown size has ended.
    mutating func bodyEnded(at size: Int64) { self.size = size }

    // MARK: Responses

    /// Judges a response before its body is read.
    /// - Parameter isOnly: Whether no other connection is open.
    /// - Throws: ``FeedClientError`` `.integrity` if the response is invalid, or the server's checksum is not `expectedSHA256`.
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
        case .invalid(let defect):
            throw FeedClientError(
                .integrity, defect, hint: "The server does not follow HTTP; download the file with another program.")
        }
    }

    private mutating func part(
        _ file: Representation, _ range: Range<Int64>, requested: Int64, _ isOnly: Bool
    ) -> ResponseAction {
        let skip = requested - range.lowerBound
        if representation == nil {
            // Without an entity tag, nothing could be joined to a part of the file.
            if file.entityTag == nil, range.upperBound != file.size { return .stop(.rangesUnsupported) }
            accept(file, isSinglePass: file.entityTag == nil)
        } else if skip > Self.maximumSkip, !isOnly {
            return .stop(.rangesIgnored)
        } else {
            (isConfirmed, url) = (true, file.url)
        }
        return .receive(range, skip: skip)
    }

    private mutating func whole(_ file: Representation, _ acceptsRanges: Bool) -> ResponseAction {
        let canResume = file.entityTag != nil && file.size != nil && acceptsRanges && capabilities.supportsRanges
        accept(file, isSinglePass: !canResume)
        return .receive(0..<(file.size ?? .max), skip: 0)
    }

    private mutating func accept(_ file: Representation, isSinglePass: Bool) {
        (representation, size, self.isSinglePass) = (file, file.size, isSinglePass)
        (isConfirmed, url) = (true, file.url)
    }

    private static func verify(_ file: Representation, _ expectedSHA256: String?) throws(FeedClientError) {
        guard let expectedSHA256, let sha256 = file.sha256, expectedSHA256 != sha256 else { return }
        throw FeedClientError(
            .integrity, "The server offers another file, with the SHA-256 \(sha256)",
            hint: "Check the checksum and the address.")
    }
}
