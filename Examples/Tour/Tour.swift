import FeedClientKit
import Foundation

/// Logs in, reads and follows timelines, posts, and moves a file to the server and back.
///
///     swift run tour http://127.0.0.1:8080 demo feed-demo notes.txt
@main struct Tour {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 4, let server = arguments.first, let file = arguments.last else {
            print("usage: tour SERVER USERNAME PASSWORD FILE")
            exit(64)
        }
        let names = Array(arguments.dropFirst().prefix(2))
        do {
            try await Tour(server: try ServerAddress(server), username: names[0], password: names[1], file: file).run()
        } catch {
            print("error:", error)
            exit(1)
        }
    }

    let server: ServerAddress
    let username: String
    let password: String
    let file: String

    func run() async throws {
        let credential = try await use(FeedClient(server: server)) { client in
            try await client.login(username: username, password: password)
        }
        try await use(FeedClient(server: server, credential: credential), visit)
    }

    /// Runs `body` with a client, which must be shut down also after an error.
    private func use<Value>(_ client: FeedClient, _ body: (FeedClient) async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutdown()
        return try result.get()
    }

    private func visit(_ client: FeedClient) async throws {
        try await read(client)
        try await post(client)
        try await transfer(client)
    }

    /// The authors of the newest 100 public statuses, from as many pages as necessary.
    private func read(_ client: FeedClient) async throws {
        var statuses = 0
        var authors: Set<String> = []
        for try await page in client.pages(of: .public) {
            statuses += page.entries.count
            authors.formUnion(page.entries.map(\.status.account.acct))
            if statuses >= 100 { break }
        }
        print("read \(statuses) statuses by \(authors.count) authors")
    }

    /// Follows the home timeline until it contains the status that this function posts.
    private func post(_ client: FeedClient) async throws {
        var posted: String?
        for try await event in client.events(of: .user) {
            switch event.content {
            case .resync where posted == nil:
                // The stream is open, so it will contain the status.
                posted = try await client.post(Draft(text: "Hello from FeedClientKit")).status.id
            case .update(let entry) where entry.status.id == posted:
                return print("posted", PlainText.from(html: entry.status.content))
            default: break
            }
        }
    }

    /// Uploads the file, and downloads it beside itself.
    private func transfer(_ client: FeedClient) async throws {
        let stored = try await client.upload(file)
        var options = DownloadOptions()
        options.sha256 = stored.sha256
        let copy = try await client.download(stored.name, to: file + ".copy", options: options)
        print("downloaded \(copy.path):", copy.verification.rawValue)
    }
}
