import FeedClientKit

/// Prints the newest public statuses of a server, and downloads a file from it.
func readAndDownload(from server: String, file: String, to path: String) async throws {
    let client = FeedClient(server: try ServerAddress(server))
    do {
        for entry in try await client.timeline(.everyone, limit: 5).entries {
            print("@\(entry.status.account.acct): \(PlainText.from(html: entry.status.content))")
        }
        // An interrupted download resumes here; the file appears only when it is complete and verified.
        let result = try await client.download(file, to: path) { progress in
            print("\(progress.done) of \(progress.total ?? 0) bytes, \(progress.connections) connections")
        }
        print("\(result.path): \(result.size) bytes, verified: \(result.verification.rawValue)")
    } catch let error as FeedClientError {
        print(error.message, error.hint ?? "")
    }
    await client.shutdown()
}
