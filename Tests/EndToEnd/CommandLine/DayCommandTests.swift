import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `followers`, `following`, `conversations`, `open`, `report` and `instance` against the real server.
@Suite(.hangLimit)
struct DayCommandTests {
    @Test func followersAreListed() async throws {
        let people = try await ClientPeople.start("ada", "bob", "cleo")
        let (ada, bob) = (people.homes[0], people.homes[1])
        #expect(try await ada.run("followers").error == "no followers\n")
        for home in people.homes[1...] { #expect(try await home.run("follow", "@ada").code == 0) }
        #expect(try await Set(bob.run("followers", "@ada").text.split(separator: "\n")) == ["@bob", "@cleo"])
        #expect(try await Set(ada.run("followers").text.split(separator: "\n")) == ["@bob", "@cleo"])
        #expect(try await ada.run("following", "@bob").text == "@ada\n")
        let json = try await ada.run("followers", "--json").objects()
        #expect(Set(json.map { $0["acct"] as? String }) == ["bob", "cleo"])
        #expect(try await ada.run("following", "@nobody").code == 3)
        // Lists of others need no login, one's own does.
        let visitor = try ClientHome()
        #expect(try await visitor.run("followers", "@ada", "--server", people.server.address).code == 0)
        #expect(try await visitor.run("followers", "--server", people.server.address).code == 4)
    }

    @Test func conversationsAreShownAndRead() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        #expect(try await bob.run("conversations").error == "no conversations\n")
        let id = try await ada.run("post", "--visibility", "direct", "@bob are you there?").id()
        let shown = try await bob.run("conversations")
        #expect(shown.text.hasPrefix("● @ada\n") && shown.text.contains("@ada: @bob are you there?"), "\(shown)")
        #expect(shown.text.contains(id))
        #expect(try await bob.run("conversations", "read", id).text == "read \(id)\n")
        #expect(try await bob.run("conversations").text.hasPrefix("  @ada\n"))
        let answer = try await bob.run("reply", id, "yes").id()
        let entries = try await ada.run("conversations", "--json", "-n", "5").objects()
        #expect(entries.count == 1 && entries[0]["unread"] as? Bool == true)
        #expect((entries[0]["last_status"] as? [String: Any])?["id"] as? String == answer)
        // The id of the conversation itself works, too.
        let conversation = try #require(entries[0]["id"] as? String)
        #expect(try await ada.run("conversations", "read", conversation).code == 0)
        #expect(try await ada.run("conversations", "read", "1").code == 3)
        #expect(try await ada.run("conversations", "--limit", "0").code == 2)
    }

    @Test func pageOfAStatusIsOpened() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let url = try await home.run("post", "hello").text
        let id = try #require(url.split(separator: "/").last).trimmingCharacters(in: .newlines)
        let file = home.folder.path + "/opened"
        let script = try home.folder.file("browser", "printf '%s\\n' \"$2\" >> '\(file)'\n")
        let browser = ["BROWSER": "sh '\(script)' --new %s"]
        #expect(try await home.run("open", id, environment: browser).text == url)
        let other = try ClientHome()
        let visited = try await other.run(
            "open", url.trimmingCharacters(in: .newlines), "--server", people.server.address, environment: browser)
        #expect(visited.code == 0, "\(visited.error)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == url + url)
        let none = try await home.run(
            "open", id, environment: ["BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "WSL_DISTRO_NAME": ""])
        #expect(none.code == 0 && none.text == url && none.error.contains("no browser"), "\(none.error)")
        let broken = try await home.run("open", id, environment: ["BROWSER": "false"])
        #expect(broken.code == 1 && broken.error.contains("Check BROWSER"), "\(broken.error)")
        #expect(try await home.run("open", "1").code == 2)
    }

    @Test func accountIsReported() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let id = try await bob.run("post", "buy pills").id()
        let done = try await ada.run("report", "@bob", id, "--comment", "sells pills", "--category", "spam")
        #expect(done.code == 0 && done.text == "reported @bob\n", "\(done.error)")
        let reports = try await people.server.admin("report", "list")
        #expect(reports.text.contains("bob") && reports.text.contains("sells pills"), "\(reports.text)")
        #expect(try await ada.run("report", "@nobody").code == 3)
        #expect(try await ada.run("report", "@bob", "--category", "taste").code == 2)
    }

    @Test func serverDescribesItself() async throws {
        let people = try await ClientPeople.start("ada")
        let shown = try await people.homes[0].run("instance")
        #expect(shown.code == 0 && shown.text.contains("registration: closed"), "\(shown.error)")
        #expect(shown.text.contains("limits of a status: ") && shown.text.contains("Mastodon API: "), "\(shown.text)")
        let json = try await ClientHome().run("instance", "--json", "--server", people.server.address).object()
        #expect(json["configuration"] is [String: Any] && json["domain"] is String)
    }

    /// A server that has only the first version of the entity.
    @Test func oldServerDescribesItself() async throws {
        let old = """
            {"uri":"old.test","title":"Old \\u001b[31mred","short_description":"","description":"<p>Hi</p>","version":"3.5.3",
            "registrations":true,"approval_required":true,"email":"ops@old.test","languages":["en","pt"],
            "stats":{"user_count":1,"status_count":3},"rules":[{"id":"1","text":"Be kind"}],
            "configuration":{"statuses":{"max_characters":500}},"contact_account":null}
            """
        let server = try CannedServer { request in
            request.path == "/api/v1/instance" ? .text(old) : .text(#"{"error":"Not found"}"#, status: 404)
        }
        defer { server.close() }
        let shown = try await ClientHome().run("instance", "--server", server.address)
        #expect(
            shown.text == """
                Old [31mred
                Hi

                1. Be kind

                registration: on request
                contact: ops@old.test
                languages: en, pt
                1 account, 3 statuses

                limits of a status: 500 characters
                Mastodon API: 3.5.3

                """, "\(shown)")
    }
}
