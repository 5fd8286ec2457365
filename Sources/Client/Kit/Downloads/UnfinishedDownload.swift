import Foundation

/// An unfinished download on disk, locked until it is resumed or this value is destroyed. Resume it with
/// ``FeedClient/resume(_:options:progress:)``.
public struct UnfinishedDownload: Sendable {
    /// The URL from which the file is downloaded.
    public let source: String
    let claim: PartFileClaim

    /// The path of the finished file.
    public var destination: String { claim.destination }

    /// Opens an unfinished download.
    /// - Parameter path: The destination, or the part file (`.part`) beside it.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no unfinished download, `.failed` if another download
    ///   is using it.
    public init(at path: String) throws(FeedClientError) { try self.init(at: path, calls: .system) }

    init(at path: String, calls: FileCalls) throws(FeedClientError) {
        claim = try PartFileClaim(unfinished: Self.destination(of: path), calls: calls)
        guard let request = claim.journal.request else { throw PartFileClaim.notFound(claim.part.path) }
        source = request.url
    }

    /// Whether part file and journal of an unfinished download exist.
    public static func exists(at path: String) -> Bool {
        let part = destination(of: path) + PartFile.suffix
        return access(part, F_OK) == 0 && access(PartFile.journal(part), F_OK) == 0
    }

    private static func destination(of path: String) -> String {
        path.hasSuffix(PartFile.suffix) ? String(path.dropLast(PartFile.suffix.count)) : path
    }
}
