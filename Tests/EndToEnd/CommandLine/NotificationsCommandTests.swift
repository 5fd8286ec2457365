import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient notifications` against the real server.
@Suite(.hangLimit)
struct NotificationsCommandTests {
    @Test func notificationsAreShownInGroupsAndCleared() async throws {
        let server = try await ServerProcess.start()
        let names = ["ada", "bob", "eve"]
        for name in names { try await server.addAccount(name) }
        var homes: [ClientHome] = []
        for name in names {
            let home = try ClientHome()
            #expect(try await home.login(server, name).code == 0)
            homes.append(home)
        }
        #expect(try await homes[0].run("notifications").text.isEmpty)
        for home in homes[1...] { #expect(try await home.run("follow", "@ada").code == 0) }
        #expect(try await homes[1].run("post", "@ada hello there").code == 0)
        let shown = try await homes[0].run("notifications")
        #expect(shown.code == 0 && shown.error.isEmpty)
        #expect(shown.text.contains("@eve and @bob followed you") && shown.text.contains("@bob mentioned you"))
        #expect(shown.text.contains("  @ada hello there"))
        let json = try await homes[0].run("notifications", "list", "--json", "-n", "2")
        let types = try json.text.split(separator: "\n").map { line in
            try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["type"] as? String
        }
        #expect(types == ["mention", "follow"])
        #expect(try await homes[0].run("notifications", "clear").code == 0)
        #expect(try await homes[0].run("notifications").text.isEmpty)
        #expect(try await homes[0].run("notifications", "--limit", "0").code == 2)
        #expect(try await ClientHome().run("notifications", "--server", server.address).code == 4)
    }
}
