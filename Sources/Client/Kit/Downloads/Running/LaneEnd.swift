/// How one connection ended.
enum LaneEnd: Sendable {
    /// What was asked for came, or somebody else took over the rest.
    case done
    /// It broke; a new one may do better.
    case broken(FeedClientError)
    /// The server does not want this. Alone that is the end; beside others it means fewer connections.
    case refused(FeedClientError)
    /// The answer contradicts itself, or is not one to what was asked.
    case garbled(FeedClientError)
    /// The file is another one now.
    case changed
    /// The server does not understand `If-Range`.
    case conditionIgnored
    /// Parts of this file cannot be had: it must come as a whole, by one connection.
    case wholeOnly
    /// The server sends the whole file to those who come for a part.
    case rangesIgnored
    /// The disk failed, or somebody cancelled: the end.
    case failed(any Error)

    init(_ error: any Error) {
        guard let error = error as? FeedClientError else {
            self = .failed(error)
            return
        }
        switch error.code {
        case .network, .tryLater: self = .broken(error)
        case .disk: self = .failed(error)
        case .integrity: self = .garbled(error)
        default: self = .refused(error)
        }
    }
}

/// What a connection does with the answer it got.
enum LaneOrder: Sendable {
    /// The body starts at the span's lower bound; the first `skip` bytes are there already.
    case receive(Range<Int64>, skip: Int64)
    case end(LaneEnd)
}
