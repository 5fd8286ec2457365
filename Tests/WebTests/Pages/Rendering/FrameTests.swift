import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// What all pages have in common: head, navigation and footer.
@Suite(.hangLimit)
struct FrameTests {
    /// The links of the navigation that are marked as the current page.
    private static func current(_ page: String) -> [String] {
        page.matches(of: /<a href="([^"]*)" aria-current="page">/).map { String($0.1) }
    }

    @Test func everyPageHasTheSameFrame() async throws {
        try await Person.served(try TestServices(registration: .open)) { _, person in
            for path in ["/", "/@ada", "/tags/none", "/search", "/about", "/login", "/join", "/nothing-here"] {
                let page = try await person.send(.get, path, headers: [.accept: "text/html"]).text
                for part in [
                    "<a class=\"skip-link\"", "<nav class=\"site-nav\"", "href=\"/login\"", "href=\"/join\"",
                    "<footer class=\"site-footer\">", "href=\"/about\"", "rel=\"apple-touch-icon\"",
                ] { #expect(page.contains(part), "\(path): \(part)") }
                #expect(page.components(separatedBy: "<main").count == 2, "\(path)")
            }
        }
    }

    @Test func navigationMarksThePage() async throws {
        try await Person.served(try TestServices(registration: .open)) { _, visitor in
            var person = visitor
            #expect(try await Self.current(visitor.send(.get, "/").text) == ["/"])
            #expect(try await Self.current(visitor.send(.get, "/join").text) == ["/join"])
            try await person.logIn()
            for path in ["/home", "/notifications", "/compose", "/", "/@ada", "/search"] {
                // A profile marks its tab, too.
                #expect(try await Set(Self.current(person.send(.get, path).text)) == [path], "\(path)")
            }
            #expect(try await Self.current(person.send(.get, "/about").text).isEmpty)
        }
    }

    @Test func errorsAreShownWithTheNavigationAndNotKept() async throws {
        try await Person.served(try TestServices()) { _, person in
            try await person.logIn()
            for path in ["/@nobody", "/compose?in_reply_to_id=5", "/nothing-here"] {
                let page = try await person.send(.get, path, headers: [.accept: "text/html"])
                #expect(page.status == 404 && page.headers[.cacheControl] == "no-store", "\(path)")
                #expect(page.text.contains("href=\"/@ada\">Profile</a>"), "\(path)")
                #expect(page.text.contains("<meta name=\"robots\" content=\"noindex\">"), "\(path)")
            }
        }
    }

    @Test func aboutPageSaysHowToTakePart() async throws {
        let rows: [(RegistrationPolicy.Mode, String, Bool)] = [
            (.open, "Everyone can sign up.", true), (.approval, "the operator approves", true),
            (.invite, "requires an invitation", false), (.closed, "Nobody can sign up", false),
        ]
        for (mode, text, hasLink) in rows {
            try await WebAPI.run(registration: mode) { api in
                _ = try await api.admin("root")
                _ = try await api.person("ada")
                var values = ReloadableSettings.Values()
                values.registration = RegistrationPolicy(mode: mode, blockedNames: [])
                values.site.title = "Hafen"
                (values.site.text, values.site.rules) = ("Ships <3", ["Be <kind>."])
                (values.site.contactAccount, values.site.contactEmail) = ("ada", "ada@feed.example")
                api.test.settings.replace(with: values)
                let page = try await api.send(.get, "/about")
                #expect(page.status == 200)
                for part in [
                    text, "About Hafen", "Ships &lt;3", "Be &lt;kind&gt;.", "mailto:ada@feed.example",
                    "<h2>Run by</h2>", "href=\"/@root\"", "https://tusky.app",
                ] { #expect(page.text.contains(part), "\(mode): \(part)") }
                #expect(page.text.contains("<a class=\"button\" href=\"/join\">") == hasLink, "\(mode)")
            }
        }
    }

    @Test func refusalsOfASignUpStandAtTheirFields() async throws {
        try await Person.served(try TestServices(registration: .open)) { _, person in
            let page = try await person.send(.get, "/join")
            #expect(!page.text.contains("aria-invalid"))
            person.cookie = page.headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
            let fields = HTMLForm.hidden(in: page.text)
                .merging(["username": "not valid", "email": "", "password": "long enough"]) { $1 }
            let refused = try await person.send(.post, "/join", fields)
            #expect(refused.status == 422 && refused.text.contains("id=\"username-error\""))
            #expect(refused.text.contains("aria-describedby=\"username-note username-error\" aria-invalid=\"true\">"))
            #expect(refused.text.components(separatedBy: "aria-invalid").count == 2)
        }
    }

    @Test func signingUpShowsAppsAndTheNavigationOfMembers() async throws {
        try await Person.served(try TestServices(registration: .open)) { _, person in
            let page = try await person.send(.get, "/join")
            person.cookie = page.headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
            let fields = HTMLForm.hidden(in: page.text)
                .merging(["username": "hedy", "email": "", "password": "long enough"]) { $1 }
            let made = try await person.send(.post, "/join", fields)
            #expect(made.text.contains("href=\"/@hedy\">Profile</a>") && !made.text.contains("href=\"/login\""))
            #expect(made.text.contains("<ul class=\"apps\"") && made.text.contains("https://tusky.app"))
        }
    }
}
