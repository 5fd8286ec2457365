import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Runs what the manual of the client describes, in its order, with what a new user has after a few minutes.
@Suite(.hangLimit)
struct ManualCommandTests {
    /// The arguments of each command; words in capitals stand for what the test has prepared.
    private static let commands = [
        "whoami", "accounts", "use @ada", "logins", "instance", "ping", "timeline", "timeline public -n 100",
        "timeline @bob --before STATUS", "show STATUS", "show STATUS --thread", "open STATUS", "user @bob",
        "followers @bob", "following @bob", "search hello", "notifications", "conversations",
        "conversations read DIRECT",
        "sync", "timeline --offline", "cache stats", "cache verify", "cache clear", "post Hello everyone",
        "reply STATUS well said", "post --reply-to STATUS hear, hear", "edit OWN without a mistake", "drafts",
        "post where? --poll North --poll South --poll-expires 12h",
        "poll vote STATUS 1", "schedule", "schedule move LATER +3h", "schedule cancel LATER", "outbox", "outbox flush",
        "favourite STATUS", "favourite STATUS --undo", "boost STATUS", "bookmark STATUS", "pin OWN", "follow @bob",
        "requests", "report @bob STATUS --comment spam", "lists", "lists create Sailors", "lists add Sailors @bob",
        "lists show Sailors", "timeline list:Sailors", "lists remove Sailors @bob", "lists delete Sailors",
        "tags follow kites", "tags", "tags unfollow kites", "profile", "profile --set note=sails",
        "mute @bob --duration 7d",
        "muted", "blocked", "unmute @bob", "unfollow @bob", "block @bob", "unblock @bob", "upload NOTES", "files",
        "download notes.txt -o COPY", "files delete notes.txt", "notifications clear", "delete OWN",
    ]

    private static func values(_ ada: ClientHome, _ bob: ClientHome) async throws -> [String: String] {
        let later = try await ada.run("post", "later", "--schedule", "+2h").text.split(separator: " ")
        return [
            "STATUS": try await bob.run("post", "hello", "--poll", "a", "--poll", "b").id(),
            "DIRECT": try await bob.run("post", "hush @ada", "--visibility", "direct").id(),
            "OWN": try await ada.run("post", "with a mistake").id(),
            "LATER": String(try #require(later.dropFirst().first)),
            "NOTES": try ada.folder.file("notes.txt", "notes"), "COPY": ada.folder.path + "/copy.txt",
        ]
    }

    @Test func everyCommandWorks() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let values = try await Self.values(ada, bob)
        for command in Self.commands {
            let arguments = command.split(separator: " ").map { values[String($0)] ?? String($0) }
            let done = try await ada.run(arguments, environment: ["BROWSER": "true"])
            #expect(done.code == 0, "\(command): \(done.error)")
        }
        // These end logins.
        let password = try await ada.run("password", "--password-stdin", input: "secretsecret\nsecretsecret2\n")
        #expect(password.code == 0, "\(password.error)")
        #expect(try await ada.run("logout").code == 0)
        #expect(try await ada.login(people.server, "ada", password: "secretsecret2").code == 0)
    }

    @Test func noCommandIsForgotten() async throws {
        let tested = Set(Self.commands.compactMap { $0.split(separator: " ").first.map(String.init) })
        // `ReaderTests` open the reader.
        let others: Set = ["login", "logout", "password", "tui"]
        let missing = Set(try await CommandList.of(Programs.feedclient)).subtracting(tested.union(others))
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}
