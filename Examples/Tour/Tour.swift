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
        try await Tour(server: try ServerAddress(server), username: names[0], password: names[1], file: file).run()
    }

    let server: ServerAddress
    let username: String
    let password: String
    let file: String

    func run() async throws {
        let anonymous = FeedClient(server: server)
        let credential = try await anonymous.login(username: username, password: password)
        await anonymous.shutdown()
        let client = FeedClient(server: server, credential: credential)
        do {
            try await visit(client)
        } catch {
            await client.shutdown()
            throw error
        }
        await client.shutdown()
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
