/// What to make of that which lies at a download's place. Pure.
enum Beginning: Equatable {
    /// - Parameter order: What the download before was asked for, when it was of the same file.
    case anew(DownloadOrder?, note: String?)
    case goOn(DownloadJournal)

    /// - Parameters:
    ///   - path: The part file, for the words.
    ///   - isEmpty: Whether it has no bytes.
    /// - Throws: ``FeedClientError`` when something there is not ours to throw away.
    static func judge(
        _ notes: PartFile.Notes, isEmpty: Bool, source: String, path: String
    ) throws(FeedClientError) -> Beginning {
        switch notes {
        case .none where isEmpty: return .anew(nil, note: nil)
        case .none:
            throw FeedClientError(
                .failed, "\(path) is there already, and is no unfinished download",
                hint: "Move it away, name another place with -o, or overwrite it with --restart.")
        case .unknown:
            throw FeedClientError(
                .failed, "\(path) was begun by another version of feedclient",
                hint: "Go on with that version, or begin anew with --restart.")
        case .damaged: return .anew(nil, note: "The state of the earlier download is damaged: starting over.")
        case .begun(let order):
            return .anew(order.url == source ? order : nil, note: nil)
        case .journal(let journal):
            guard Representation.place(journal.order.url) == Representation.place(source) else {
                throw FeedClientError(
                    .failed, "\(path) is an unfinished download of \(Representation.place(journal.order.url))",
                    hint: "Go on with it by --resume, name another place with -o, or begin anew with --restart.")
            }
            return .goOn(journal)
        }
    }
}
