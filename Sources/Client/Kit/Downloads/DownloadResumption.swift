import FeedAPI
import Foundation

/// The decision whether a download resumes an earlier one with the same destination.
enum DownloadResumption: Equatable {
    /// - `previous`: The request of an unfinished download of the same file.
    case startOver(previous: DownloadRequest?, notice: String?)
    case resume(DownloadState)

    /// - Parameters:
    ///   - isEmpty: Whether the part file has no bytes.
    ///   - path: The path of the part file, for error messages.
    /// - Throws: ``FeedClientError`` if the part file belongs to another program or another download.
    init(_ journal: DownloadStateFile, isEmpty: Bool, source: String, path: String) throws(FeedClientError) {
        switch journal {
        case .missing where isEmpty: self = .startOver(previous: nil, notice: nil)
        case .missing:
            throw FeedClientError(
                .failed, "\(path) already exists and is not an unfinished download",
                hint: "Move it away, choose another path with -o, or overwrite it with --restart.")
        case .unsupportedFormat:
            throw FeedClientError(
                .failed, "Another version of feedclient started \(path)",
                hint: "Resume it with that version, or start over with --restart.")
        case .damaged:
            self = .startOver(
                previous: nil, notice: "The state of the earlier download is damaged: starting over.")
        case .started(let request):
            self = .startOver(previous: request.url == source ? request : nil, notice: nil)
        case .resumable(let journal):
            let identity = FileIdentity.identity(of: journal.request.url)
            guard identity == FileIdentity.identity(of: source) else {
                throw FeedClientError(
                    .failed, "\(path) is an unfinished download of \(identity)",
                    hint: "Resume it with --resume, choose another path with -o, or start over with --restart.")
            }
            self = .resume(journal)
        }
    }
}

/// An unfinished download on disk, locked until it is resumed or this value is destroyed. Resume it with
/// ``FeedClient/resume(_:options:progress:)``.
public struct UnfinishedDownload: Sendable {
    /// The URL from which the file is downloaded.
    public let source: String
    let claim: DownloadPreparation

    /// The path of the finished file.
    public var destination: String { claim.destination }

    /// Opens an unfinished download.
    /// - Parameter path: The destination, or the part file (`.part`) beside it.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no unfinished download, `.failed` if another download
    ///   is using it.
    public init(at path: String) throws(FeedClientError) { try self.init(at: path, calls: .system) }

    init(at path: String, calls: SystemCalls) throws(FeedClientError) {
        claim = try DownloadPreparation(unfinished: Self.destination(of: path), calls: calls)
        guard let request = claim.journal.request else { throw DownloadPreparation.notFound(claim.part.path) }
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
