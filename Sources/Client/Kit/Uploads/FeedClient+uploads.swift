import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// Uploading a large file may take long. The write timeout detects a stalled connection.
    static let uploadTimeout = TimeAmount.hours(24)

    /// Uploads a file as a form, streamed from the disk.
    /// - Parameters:
    ///   - path: The file to upload.
    ///   - name: The name on the server; `nil` for the file's own name.
    ///   - progress: Called with the number of bytes that have been sent.
    /// - Returns: The stored file. The server may have chosen another name.
    /// - Throws: ``FeedClientError``.
    public func upload(
        _ path: String, name: String? = nil, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> Entity.File {
        let form = try MultipartForm(path, name: name)
        if case .classic(let username, let password) = credential {
            return try await uploadClassic(
                form, name ?? URL(fileURLWithPath: path).lastPathComponent, username, password, progress)
        }
        var request = request(Paths.files)
        form.add(to: &request, progress: progress)
        let response = try await explainingFiles(isUpload: true) { [request] in
            try await transport.send(request, timeout: Self.uploadTimeout)
        }
        return try UploadVerification.verified(try response.decode(Entity.Files.self), size: form.size)
    }

    /// Uploads a file in the classic dialect. Servers of 2014 respond with anything; feedserver describes the file.
    private func uploadClassic(
        _ form: MultipartForm, _ name: String, _ username: String, _ password: String,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Entity.File {
        var request = request(Paths.classicUpload, query: [("file", name)])
        let secret = Data("\(username):\(password)".utf8).base64EncodedString()
        request.headers.add(name: "Authorization", value: "Basic " + secret)
        form.add(to: &request, progress: progress)
        let response = try await transport.send(request, timeout: Self.uploadTimeout)
        if let files = try? response.decode(Entity.Files.self) {
            return try UploadVerification.verified(files, size: form.size)
        }
        return Entity.File(
            name: name, size: form.size, type: "application/octet-stream", modified: "", sha256: "",
            url: address(ofFile: name))
    }

    /// The length of the whole body in bytes. The size of a sparse file may be close to the largest integer.
    static func contentLength(of path: String, size: Int64, framing: Int) throws(FeedClientError) -> Int64 {
        let (length, overflows) = size.addingReportingOverflow(Int64(framing))
        guard !overflows else {
            throw FeedClientError(.failed, "\(path) is too large to be uploaded", hint: "Upload a smaller file.")
        }
        return length
    }
}

/// Compares the sent data with the data that the server reports as stored.
enum UploadVerification {
    /// The stored file, from the response to an upload.
    /// - Parameter size: The number of bytes that were sent.
    /// - Throws: ``FeedClientError`` `.failed` if nothing was stored, `.integrity` if the sizes differ.
    static func verified(_ stored: Entity.Files, size: Int64) throws(FeedClientError) -> Entity.File {
        guard let file = stored.files.first else {
            throw FeedClientError(.failed, "The server did not store the file")
        }
        return try verified(file, size: size)
    }

    /// The stored file.
    /// - Throws: ``FeedClientError`` `.integrity` if it does not have the size in bytes that was sent.
    static func verified(_ file: Entity.File, size: Int64) throws(FeedClientError) -> Entity.File {
        guard file.size == size else {
            throw FeedClientError(.integrity, "The server stored \(file.size) of \(size) bytes", hint: "Try again.")
        }
        return file
    }
}

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
