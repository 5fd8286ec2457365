import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// What pages contain for their script.
@Suite(.hangLimit)
struct ScriptHookTests {
    @Test func liveTimelinesNameTheirNewestEntry() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let cleo = try await api.person("cleo")
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            let first = try await api.must(.post, "/api/v1/statuses", as: cleo, .form("status=one+%23tag"))
            try await api.must(.post, "/api/v1/statuses", as: bob, .form("status=two+%23tag"))
            let id = try #require(first["id"]?.text)
            let boost = try await api.must(.post, "/api/v1/statuses/\(id)/reblog", as: bob)
            let boostID = try #require(boost["id"]?.text)
            let home = try await api.send(.get, "/home", as: ada).text
            #expect(home.contains("<body data-live=\"home\" data-newest=\"\(boostID)\">"))
            #expect(try await api.send(.get, "/tags/tag").text.contains("<body data-live=\"tag/tag\" data-newest="))
            #expect(try await api.send(.get, "/").text.contains("<body data-live=\"public\" data-newest="))
            for path in ["/?max_id=\(boostID)", "/@bob", "/search"] {
                #expect(try await api.send(.get, path).text.contains("<body>"), "\(path)")
            }
        }
    }

    @Test func pagesNameTheirReaderWithTheZone() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            #expect(try await api.send(.get, "/").text.contains("<html lang=\"en\">"))
            #expect(try await api.send(.get, "/", as: ada).text.contains("<html lang=\"en\" data-member=\"/@ada\">"))
            let zone = WebBody.form("time_zone=America%2FLima")
            #expect(try await api.send(.post, "/settings/preferences", as: ada, zone).status == 303)
            let page = try await api.send(.get, "/", as: ada).text
            #expect(page.contains(" data-member=\"/@ada\" data-zone=\"America/Lima\">"))
        }
    }

    @Test func themeIsChangedByItself() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            try await api.must(.patch, "/api/v1/accounts/update_credentials", as: ada, .form("source[privacy]=private"))
            let response = try await api.send(.post, "/settings/preferences", as: ada, .form("theme=dark"))
            #expect(response.status == 303)
            #expect(try await api.send(.get, "/", as: ada).text.contains("<html lang=\"en\" class=\"theme-dark\""))
            let account = try await api.must(.get, "/api/v1/accounts/verify_credentials", as: ada)
            #expect(account["source"]?["privacy"]?.text == "private")
        }
    }

    @Test func buttonsSayWhatTakesThemBack() async throws {
        try await WebAPI.run { api in
            let (ada, _) = (try await api.person("ada"), try await api.person("bob"))
            let stranger = try await api.send(.get, "/@bob", as: ada).text
            #expect(
                stranger.contains(
                    "action=\"/@bob/follow\" data-other-path=\"/@bob/unfollow\" data-other-label=\"Unfollow\" "
                        + "data-state=\"You follow this account.\">"))
            #expect(!stranger.contains("data-follow-state"))
            #expect(try await api.send(.post, "/@bob/follow", as: ada, .form("")).status == 303)
            let followed = try await api.send(.get, "/@bob", as: ada).text
            #expect(followed.contains("action=\"/@bob/unfollow\" data-other-path=\"/@bob/follow\""))
            #expect(followed.contains("action=\"/@bob/notify\" data-other-path=\"/@bob/unnotify\""))
            #expect(followed.contains("data-follow-state>You follow this account.</p>"))
        }
    }

    /// Pages with a password have no script.
    @Test func onlyPagesWithScriptPermitIt() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (path, hasScript) in [("/", true), ("/compose", true), ("/settings", true), ("/login", false)] {
                let page = try await api.send(.get, path, as: path == "/login" ? nil : ada)
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.contains("script-src 'self'") == hasScript, "\(path)")
                #expect(page.text.contains("<script") == hasScript, "\(path)")
                #expect(!policy.contains("unsafe") && !page.text.contains(" style=\""), "\(path)")
            }
        }
    }
}
