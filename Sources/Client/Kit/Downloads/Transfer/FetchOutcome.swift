/// The outcome of fetching a range.
enum FetchOutcome: Sendable {
    /// The requested bytes have arrived, or another connection has taken over the rest.
    case finished
    /// The connection failed, but a new one may succeed.
    case interrupted(FeedClientError)
    /// The server refused the request. If other connections are open, only their number is reduced.
    case rejected(FeedClientError)
    /// The response contradicted itself or the request.
    case invalidResponse(FeedClientError)
    /// The file has changed on the server.
    case fileChanged
    /// The server does not support `If-Range`.
    case ifRangeIgnored
    /// The server sends this file only as a whole, over one connection.
    case rangesUnsupported
    /// The server sent the whole file in response to a request for a part.
    case rangesIgnored
    /// The disk failed or the task was cancelled: the download ends.
    case failed(any Error)

    init(_ error: any Error) {
        guard let error = error as? FeedClientError else {
            self = .failed(error)
            return
        }
        self =
            switch error.code {
            case .network, .tryLater: .interrupted(error)
            case .disk: .failed(error)
            case .integrity: .invalidResponse(error)
            default: .rejected(error)
            }
    }
}
