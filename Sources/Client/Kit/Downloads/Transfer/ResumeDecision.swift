/// The decision whether a download resumes an earlier one with the same destination. Pure.
enum ResumeDecision: Equatable {
    /// - `previous`: The request of an unfinished download of the same file.
    case startOver(previous: DownloadRequest?, notice: String?)
    case resume(DownloadJournal)

    /// - Parameters:
    ///   - isEmpty: Whether the part file has no bytes.
    ///   - path: The path of the part file, for error messages.
    /// - Throws: ``FeedClientError`` if the part file belongs to another program or another download.
    init(_ journal: StoredJournal, isEmpty: Bool, source: String, path: String) throws(FeedClientError) {
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
            let identity = Representation.identity(of: journal.request.url)
            guard identity == Representation.identity(of: source) else {
                throw FeedClientError(
                    .failed, "\(path) is an unfinished download of \(identity)",
                    hint: "Resume it with --resume, choose another path with -o, or start over with --restart.")
            }
            self = .resume(journal)
        }
    }
}
