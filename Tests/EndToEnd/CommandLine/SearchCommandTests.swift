import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient search` for statuses, against the real server and without one.
@Suite(.hangLimit)
struct SearchCommandTests {
    @Test func statusesAreFoundOnlineAndOffline() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let home = people.homes[0]
        for text in ["a heron in the reeds", "two herons", "東京都の鷺"] {
            #expect(try await home.run("post", text).code == 0)
        }
        let ids = try await home.run("search", "--json", "heron*").ids()
        #expect(ids.count == 2)
        let cases = [
            (["heron*"], ["two herons", "a heron in the reeds"]), (["heron*", "-n", "1"], ["two herons"]),
            (["heron*", "--before", ids[0]], ["a heron in the reeds"]), (["\"heron in\""], ["a heron in the reeds"]),
            (["heron* -two"], ["a heron in the reeds"]), (["京都"], ["東京都の鷺"]), (["from:me", "鷺"], ["東京都の鷺"]),
            (["--", "-two", "from:ada", "-鷺"], ["a heron in the reeds"]), (["from:bob", "heron"], []),
        ]
        // Stores the statuses.
        #expect(try await home.run("timeline", "public").code == 0)
        for (arguments, texts) in cases {
            let online = try await home.run(["search", "--json"] + arguments)
            #expect(try online.texts() == texts, "\(arguments): \(online.error)")
        }
        let nothing = try await home.run("search", "!!!", "--kind", "statuses")
        #expect(nothing.code != 0 && nothing.error.contains("from:me"), "\(nothing.error)")
        try await people.server.stop()
        for (arguments, texts) in cases {
            let offline = try await home.run(["search", "--json", "--offline"] + arguments)
            #expect(try offline.texts() == texts, "\(arguments): \(offline.error)")
        }
        let none = try await home.run("search", "--offline", "zebra")
        #expect(none.code == 0 && none.text.isEmpty && none.error.contains("nothing found"))
        #expect(try await home.run("search", "--offline", "!!!").code == 2)
        #expect(try await home.run("search", "--offline", "x", "--kind", "accounts").code == 2)
        #expect(try await home.run("search", "x").code != 0)
    }

    /// Also those that were in no timeline.
    @Test func shownStatusesAreFoundOffline() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let ids = try await [ada.run("post", "a heron in the reeds").id(), ada.run("post", "two herons").id()]
        #expect(try await bob.run("search", "reeds").code == 0)
        #expect(try await bob.run("search", "--offline", "--json", "heron*").texts() == ["a heron in the reeds"])
        #expect(try await bob.run("show", ids[1]).code == 0)
        let found = try await bob.run("search", "--offline", "--json", "heron*").texts()
        #expect(found == ["two herons", "a heron in the reeds"])
    }
}

extension Finished {
    /// The texts of the statuses on standard output.
    fileprivate func texts() throws -> [String] {
        try objects().map {
            ($0["content"] as? String ?? "").replacing("<p>", with: "").replacing("</p>", with: "")
        }
    }
}
