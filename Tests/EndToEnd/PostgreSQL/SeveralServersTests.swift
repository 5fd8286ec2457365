import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// Several servers on one PostgreSQL database.
@Suite(.hangLimit, .serialized, .enabledWithPostgreSQL)
struct SeveralServersTests {
    /// The acknowledged actions of a test's clients.
    private final class Progress: Sendable {
        let acknowledged = Mutex<Set<String>>([])
        let isStopping = Atomic(false)

        var count: Int { acknowledged.withLock { $0.count } }
    }

    @Test func postOnOneServerIsVisibleOnTheOther() async throws {
        let feed = try await SharedFeed(servers: 2)
        for number in 0..<40 {
            let (writer, reader) = (feed.servers[number % 2], feed.servers[1 - number % 2])
            #expect(try await feed.post("post number \(number)", to: writer).status == 200)
            #expect(try await feed.home(reader).text.contains("post number \(number)"), "\(number)")
        }
        let servers = feed.servers
        try await Wait.until("anonymous pages are current") {
            try await RawHTTP.send(port: servers[0].port, "GET", "/api/v1/timelines/public?limit=1").text
                .contains("post number 39")
        }
        for server in servers { #expect(try await server.stop() == 0) }
    }

    /// A stream receives what is posted on any server, and continues on any other.
    @Test func streamsContinueOnTheOtherServer() async throws {
        let feed = try await SharedFeed(servers: 2)
        let (first, second) = (feed.servers[0], feed.servers[1])
        let stream = try EventStreamClient(port: first.port, "/user", token: feed.token)
        #expect(try await stream.opened().status == 200)
        for number in 0..<4 { _ = try await feed.post("post number \(number)", to: feed.servers[number % 2]) }
        let events = try await stream.events(4)
        for (number, event) in events.enumerated() {
            #expect(event.name == "update" && event.data.contains("post number \(number)"))
        }
        for number in 4..<8 { _ = try await feed.post("post number \(number)", to: feed.servers[number % 2]) }
        let other = try EventStreamClient(port: second.port, "/user", token: feed.token, since: events[1].id)
        for (number, event) in try await other.events(6).enumerated() {
            #expect(event.name == "update" && event.data.contains("post number \(number + 2)"))
        }
        #expect(other.events.map(\.id).prefix(2) == events.map(\.id).suffix(2))
        for server in feed.servers { #expect(try await server.stop() == 0) }
    }

    @Test func newPasswordEndsLoginsOnEveryServer() async throws {
        let feed = try await SharedFeed(servers: 2)
        for server in feed.servers { #expect(try await feed.home(server).status == 200) }
        let done = try await feed.admin(
            "account", "password", "ada", "--password-stdin", input: "another secretsecret\n")
        #expect(done.code == 0, "\(done.error)")
        for server in feed.servers { #expect(try await feed.home(server).status == 401) }
    }

    @Test func moderationTakesEffectOnEveryServer() async throws {
        let feed = try await SharedFeed(servers: 2, accounts: ["ada", "bob"])
        #expect(try await feed.post("seen by few", to: feed.servers[0]).status == 200)
        func isShown(_ path: String, _ text: String) async throws -> [Bool] {
            var found: [Bool] = []
            for server in feed.servers {
                let page = try await RawHTTP.send(port: server.port, "GET", path)
                found.append(page.status == 200 && page.text.contains(text))
            }
            return found
        }
        func wait(_ path: String, _ text: String, _ isWanted: Bool) async throws {
            try await Wait.until("\(path) \(isWanted ? "shows" : "hides") \(text) on both servers") {
                try await isShown(path, text) == [isWanted, isWanted]
            }
        }
        try await wait("/api/v1/timelines/public", "seen by few", true)
        #expect(try await feed.admin("account", "silence", "ada").code == 0)
        try await wait("/api/v1/timelines/public", "seen by few", false)
        try await wait("/api/v1/accounts/lookup?acct=ada", "\"limited\":true", true)
        #expect(try await feed.admin("account", "unsilence", "ada").code == 0)
        try await wait("/api/v1/timelines/public", "seen by few", true)
        let removed = try await feed.admin("account", "remove", "ada", "--yes")
        #expect(removed.code == 0 && removed.error.contains("removed ada"), "\(removed.error)")
        try await wait("/api/v1/timelines/public", "seen by few", false)
        try await wait("/@ada", "ada", false)
        for server in feed.servers { #expect(try await feed.home(server).status == 401) }
    }

    @Test func failedLoginsCountOnEveryServer() async throws {
        let feed = try await SharedFeed(servers: 2, enforcesRateLimits: true)
        func login(_ password: String, at server: ServerProcess) async throws -> Int {
            try await RawHTTP.send(
                port: server.port, "POST", "/ViewStatus.aspx",
                headers: ["Content-Type: application/x-www-form-urlencoded"],
                body: Data("userName=ada&password=\(password)".utf8)
            ).status
        }
        for attempt in 0..<10 { #expect(try await login("wrong", at: feed.servers[attempt % 2]) == 401) }
        for server in feed.servers { #expect(try await login("secretsecret", at: server) == 429) }
    }

    /// A schema of the first released version is migrated, but not while a server of that version is running.
    @Test func migrationsWaitForOlderServers() async throws {
        let feed = try await SharedFeed(servers: 1)
        let newest = try await feed.cluster.query("SELECT version FROM schema_version")
        _ = try await feed.cluster.query(
            """
            ALTER TABLE notification DROP COLUMN report_id, DROP COLUMN group_id;
            CREATE UNIQUE INDEX notification_once
                ON notification (account_id, from_id, kind, coalesce(status_id, 0));
            DROP TABLE status_search, search_move, login_failure, account_removal, report, sign_up, invitation, known_network, media,
                conversation, conversation_status, tag_day, featured_tag, dismissed_suggestion, poll_vote, poll_option, poll,
                list, list_member, tag_follow, notification_group, scheduled_status, custom_filter, filter_keyword,
                filter_status, endorsement, account_note, password_reset;
            ALTER TABLE account DROP COLUMN silenced_at, DROP COLUMN removed_at, DROP COLUMN privacy,
                DROP COLUMN avatar_static, DROP COLUMN header_static, DROP COLUMN time_zone, DROP COLUMN theme,
                DROP COLUMN page_language;
            ALTER TABLE change DROP COLUMN related, DROP COLUMN tags, DROP COLUMN visibility, DROP COLUMN mentions;
            ALTER TABLE status DROP COLUMN media_ids, DROP COLUMN has_poll;
            ALTER TABLE follow DROP COLUMN languages;
            ALTER TABLE follow_request DROP COLUMN languages;
            ALTER TABLE status_edit DROP COLUMN media, DROP COLUMN poll;
            DROP INDEX IF EXISTS account_header, account_active, account_new, account_admin;
            UPDATE schema_version SET version = 10
            """)
        let refused = try await feed.admin("account", "list")
        #expect(refused.code == 1 && refused.error.contains("a server of an older version is using it"))
        #expect(refused.error.contains("hint: Stop all servers of the older version"), "\(refused.error)")
        try await feed.stop()
        #expect(try await feed.admin("account", "list").text.contains("ada"))
        #expect(try await feed.cluster.query("SELECT version FROM schema_version") == newest)
        #expect(try await feed.cluster.query("SELECT count(*) FROM login_failure") == ["0"])
        // A server of the older version that starts or reconnects now is refused.
        _ = try await feed.cluster.query("UPDATE schema_version SET version = version + 1")
        let older = try await feed.admin("account", "list")
        #expect(older.code == 1 && older.error.contains("written by another version"), "\(older.error)")
    }

    /// Eight clients write to three servers while the change log is followed: sequence numbers become visible in
    /// ascending order, so a follower that continues after the last one misses none.
    @Test func aFollowerOfTheLogMissesNothing() async throws {
        let feed = try await SharedFeed(servers: 3)
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // However the test ends, so do the clients.
            defer { progress.isStopping.store(true, ordering: .relaxed) }
            for client in 0..<8 {
                group.addTask {
                    var number = 0
                    while !progress.isStopping.load(ordering: .relaxed) {
                        number += 1
                        let server = feed.servers[(client + number) % 3]
                        let response = try await feed.post("client \(client) post \(number)", to: server)
                        #expect(response.status == 200)
                    }
                }
            }
            var followed: [Int] = []
            func follow() async throws {
                let rows = try await feed.cluster.query(
                    "SELECT sequence FROM change WHERE sequence > \(followed.last ?? 0) ORDER BY sequence")
                followed += rows.compactMap { Int($0) }
            }
            for _ in 0..<Soak.rounds(40, soaking: 2000) { try await follow() }
            // On a busy machine, the follower may be faster than all clients.
            try await Wait.until("many changes are followed") {
                try await follow()
                return followed.count > 50
            }
            progress.isStopping.store(true, ordering: .relaxed)
            try await group.waitForAll()
            try await follow()
            let all = try await feed.cluster.query("SELECT sequence FROM change ORDER BY sequence").compactMap {
                Int($0)
            }
            #expect(followed == all && all.count > 50, "\(all.count) changes")
        }
    }

    /// Posts continuously while servers are killed and the database stops: each acknowledged post is stored exactly
    /// once.
    @Test func crashesLoseNoAcknowledgedPosts() async throws {
        let feed = try await SharedFeed(servers: 2)
        let progress = Progress()
        let seed = Soak.seed
        try await withThrowingTaskGroup(of: Void.self) { group in
            // However the test ends, so do the clients.
            defer { progress.isStopping.store(true, ordering: .relaxed) }
            for client in 0..<16 {
                group.addTask {
                    var number = 0
                    while !progress.isStopping.load(ordering: .relaxed) {
                        number += 1
                        let text = "client \(client) post \(number)"
                        let server = feed.servers[(client + number) % 2]
                        let response = try? await feed.post(text, to: server)
                        if response?.status == 200 { progress.acknowledged.withLock { _ = $0.insert(text) } }
                        if response?.status != 200 { try await Task.sleep(for: .milliseconds(20)) }
                    }
                }
            }
            var random = SplitMix64(seed: seed)
            for round in 0..<Soak.rounds(6, soaking: 30) {
                let goal = progress.count + Int.random(in: 10...100, using: &random)
                try await Wait.until("more posts are acknowledged") { progress.count >= goal }
                if round % 2 == 0 {
                    try await feed.replace(Int.random(in: 0...1, using: &random))
                } else {
                    try await feed.cluster.stopImmediately()
                    try await feed.cluster.start()
                }
                for server in feed.servers {
                    try await Wait.until("the server works again") {
                        (try? await feed.post("round \(round)", to: server))?.status == 200
                    }
                }
            }
            progress.isStopping.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        let stored = try await feed.cluster.query("SELECT text FROM status WHERE text LIKE 'client %'")
        let missing = progress.acknowledged.withLock { $0 }.subtracting(stored)
        #expect(missing.isEmpty, "seed \(seed), lost: \(missing)")
        #expect(Set(stored).count == stored.count, "seed \(seed): some posts are stored twice")
        #expect(progress.count > 50)
    }
}
