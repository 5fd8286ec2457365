import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `block`, `mute`, `requests`, `user` and `follow` of a locked account against the real server.
@Suite(.hangLimit)
struct RelationshipCommandTests {
    @Test func accountsAreMutedAndBlocked() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        #expect(try await ada.run("follow", "@bob").text == "following @bob\n")
        #expect(try await bob.run("post", "noise").code == 0)
        #expect(try await ada.run("timeline").text.contains("noise"))
        let muted = try await ada.run("mute", "@bob", "--duration", "1d")
        #expect(
            muted.code == 0 && muted.text.wholeMatch(of: /muted @bob until \d{4}-\d\d-\d\d \d\d:\d\d\n/) != nil,
            "\(muted)")
        #expect(try await ada.run("timeline").text.isEmpty)
        #expect(try await ada.run("user", "@bob").text.contains("you follow this account · muted by you until "))
        let list = try await ada.run("muted").text
        #expect(list.wholeMatch(of: /@bob.*  until \d{4}-\d\d-\d\d \d\d:\d\d\n/) != nil, "\(list)")
        #expect(try await ada.run("muted", "--json").object()["mute_expires_at"] is String)
        #expect(try await ada.run("unmute", "bob").text == "unmuted @bob\n")
        #expect(try await ada.run("muted").error == "nobody is muted\n")
        #expect(try await ada.run("mute", "bob", "--keep-notifications").text == "muted @bob\n")
        #expect(try await ada.run("muted").text.contains("until") == false)
        let json = try await ada.run("unmute", "bob", "--json").object()
        #expect(json["muting"] as? Bool == false && json["following"] as? Bool == true)
        #expect(try await ada.run("block", "@bob").text == "blocked @bob\n")
        #expect(try await ada.run("blocked", "--json").objects().map { $0["acct"] as? String } == ["bob"])
        #expect(try await ada.run("user", "bob").text.contains("you do not follow each other · blocked by you"))
        #expect(try await bob.run("follow", "ada").code != 0)
        #expect(try await ada.run("unblock", "@bob").text == "unblocked @bob\n")
        #expect(try await bob.run("follow", "ada").code == 0)
        #expect(try await ada.run("user", "bob").text.contains("follows you"))
        for command in ["block", "unblock", "mute", "unmute", "follow", "unfollow"] {
            let own = try await ada.run(command, "@Ada")
            #expect(own.code == 1 && own.error.contains("You cannot \(command) yourself"), "\(own.error)")
            #expect(try await ada.run(command, "@nobody").code == 3)
            #expect(try await ClientHome().run(command, "@bob", "--server", people.server.address).code == 4)
        }
        #expect(try await ada.run("mute", "@bob", "--duration", "soon").code == 2)
    }

    @Test func listsOfFollowersMayBeLimited() async throws {
        let people = try await ClientPeople.start("ada", "bob", "cleo")
        for home in people.homes[1...] { #expect(try await home.run("follow", "@ada").code == 0) }
        #expect(try await people.homes[0].run("followers").text.split(separator: "\n").count == 2)
        #expect(try await people.homes[0].run("followers", "-n1").text.split(separator: "\n").count == 1)
        #expect(try await people.homes[0].run("following", "-n", "0").code == 2)
    }

    @Test func requestsAreAcceptedAndRejected() async throws {
        let people = try await ClientPeople.start("ada", "bob", "cleo")
        let ada = people.homes[0]
        #expect(try await ada.run("requests").error.contains("no requests"))
        #expect(try await ada.run("profile", "--set", "locked=true").text.contains("locked: yes"))
        for home in people.homes[1...] {
            #expect(try await home.run("follow", "@ada").text == "asked to follow @ada\n")
        }
        #expect(try await people.homes[1].run("user", "@ada").text.contains("you have asked to follow this account"))
        #expect(try await ada.run("user", "@bob").text.contains("asks to follow you"))
        #expect(try await Set(ada.run("requests").text.split(separator: "\n")) == ["@bob", "@cleo"])
        #expect(try await ada.run("requests", "list", "--json").text.split(separator: "\n").count == 2)
        #expect(try await ada.run("profile").text.contains("2 accounts ask to follow you"))
        #expect(try await ada.run("requests", "accept", "@bob").text == "accepted @bob\n")
        #expect(try await ada.run("requests", "reject", "cleo").text == "rejected @cleo\n")
        let gone = try await ada.run("requests", "accept", "@cleo")
        #expect(gone.code == 3 && gone.error.contains("@cleo has not requested to follow you"), "\(gone.error)")
        #expect(try await people.homes[1].run("user", "ada").text.contains("you follow this account"))
        #expect(try await people.homes[2].run("user", "ada").text.contains("you do not follow each other"))
        #expect(try await ada.run("requests").text.isEmpty)
    }

    /// The biography and the relationship; without a login, and for the own account, only the former.
    @Test func userShowsBiographyAndRelationship() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let set = try await people.homes[0].run("profile", "--set", "note=I like kites.", "--set", "bot=true")
        #expect(set.code == 0, "\(set.error)")
        let seen = try await people.homes[1].run("user", "@ada").text
        #expect(
            seen.contains("I like kites.") && seen.contains("(bot)") && seen.contains("you do not follow each other"))
        for home in [people.homes[0], try ClientHome()] {
            let text = try await home.run("user", "@ada", "--server", people.server.address).text
            #expect(text.contains("I like kites.") && !text.contains("follow each other"), "\(text)")
        }
    }
}
