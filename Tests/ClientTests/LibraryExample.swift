import FeedClientKit

/// The example in the README, which ``LibraryExampleTests`` compares with this function.
func libraryExample() async throws {
    let client = FeedClient(server: try ServerAddress("http://127.0.0.1:8080"))
    let credential = try await client.login(username: "demo", password: "feed-demo")
    let demo = FeedClient(server: client.server, credential: credential)

    for entry in try await client.timeline(.public, limit: 5).entries {
        print("@" + entry.status.account.username, PlainText.from(html: entry.status.content))
    }
    let post = try await demo.post(Draft(text: "Hello from FeedClientKit"))
    print(post.status.url ?? post.status.id)

    let file = try await demo.upload("notes.txt")
    var options = DownloadOptions()
    options.sha256 = file.sha256
    let copy = try await demo.download(file.name, to: "copy.txt", options: options) { print($0.done, "bytes") }
    print(copy.path, "verified:", copy.verification.rawValue)
    await demo.shutdown()
    await client.shutdown()
}
