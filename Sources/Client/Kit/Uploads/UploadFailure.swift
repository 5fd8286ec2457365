/// Explains why a file was not stored.
enum UploadFailure {
    /// The statuses of a server that does not know the address.
    private static let unknownAddress: Set<Int> = [404, 405, 501]

    /// - Parameters:
    ///   - error: The error of a request for the files of the account.
    ///   - server: The server that has sent it.
    ///   - isUpload: Whether the request contained a file.
    static func explained(_ error: FeedClientError, server: ServerAddress, isUpload: Bool) -> FeedClientError {
        if let status = error.status, unknownAddress.contains(status) {
            return replaced(
                error, "\(server) does not store files",
                hint: "Only feedserver does. On any server, feedclient post --media FILE attaches a file to a post.")
        }
        if error.status == 413 { return tooLarge(error, server) }
        guard isUpload, error.status == nil, error.code == .network else { return error }
        return replaced(
            error, error.message + "; the upload was not confirmed, and an unfinished one is discarded",
            hint: "Check with feedclient files, and upload the file again.")
    }

    /// A feedserver states its limit; the response of a proxy in front of it does not.
    private static func tooLarge(_ error: FeedClientError, _ server: ServerAddress) -> FeedClientError {
        guard error.isStatedByServer else {
            return replaced(
                error,
                "\(server), or a proxy in front of it, refuses a file of this size, and does not state its limit",
                hint: "Ask the operator of the server, or send a smaller file.")
        }
        return replaced(
            error, error.message, hint: "This is a limit of \(server), which its operator sets. Send a smaller file.")
    }

    private static func replaced(_ error: FeedClientError, _ message: String, hint: String) -> FeedClientError {
        FeedClientError(
            error.code, message, hint: hint, cause: error, status: error.status, retryAfter: error.retryAfter)
    }
}

extension FeedClientError {
    /// Whether the message came from the server, rather than being derived from the status.
    fileprivate var isStatedByServer: Bool { status.map { message != ErrorResponse.message(for: $0) } ?? false }
}

extension FeedClient {
    /// Runs `body`, which sends requests for the files of the account, and explains its errors.
    func explainingFiles<Value>(isUpload: Bool = false, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as FeedClientError {
            throw UploadFailure.explained(error, server: server, isUpload: isUpload)
        }
    }
}
