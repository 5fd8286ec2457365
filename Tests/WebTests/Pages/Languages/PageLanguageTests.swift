import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The language in which a page is shown.
@Suite(.hangLimit)
struct PageLanguageTests {
    private static let accepted = "Accept-Language"
    /// A text of the front page in each language.
    private static let headings: [(language: PageLanguage, heading: String)] = [
        (.english, "Public timeline"), (.german, "Öffentliche Timeline"), (.chinese, "公共时间线"),
    ]

    /// The language of a page: that of its root and of its words.
    private static func language(of page: WebResponse) throws -> PageLanguage {
        let tag = try #require(page.text.firstMatch(of: /<html lang="([\w-]+)"/)).1
        let language = try #require(PageLanguage(rawValue: String(tag)))
        #expect(page.text.contains(">\(language.text.words.skip)</a>"))
        return language
    }

    @Test func membersThenBrowsersThenTheSiteDecide() async throws {
        let rows: [(member: String?, header: String?, site: [String], expected: PageLanguage)] = [
            (nil, nil, ["en"], .english), (nil, nil, ["fr"], .english), (nil, nil, ["fr", "de"], .german),
            (nil, "zh-CN", ["de"], .chinese), (nil, "fr", ["de"], .german), (nil, "en", ["de"], .english),
            ("de", "zh-CN", ["en"], .german), ("zh-Hans", nil, ["de"], .chinese), ("", "zh-CN", ["de"], .chinese),
        ]
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (member, header, languages, expected) in rows {
                var values = ReloadableSettings.Values()
                values.site.languages = languages
                api.test.settings.replace(with: values)
                if let member {
                    let form = WebBody.form("page_language=" + member)
                    let saved = try await api.send(.post, "/settings/preferences", as: ada, form)
                    #expect(saved.status == 303, "\(saved.summary)")
                }
                for path in ["/", "/about", "/search", "/nothing-here"] {
                    let page = try await api.send(
                        .get, path, as: member == nil ? nil : ada,
                        headers: ["Accept": "text/html"].merging(header.map { [Self.accepted: $0] } ?? [:]) { $1 })
                    #expect(try Self.language(of: page) == expected, "\(path) \(member ?? "") \(header ?? "")")
                }
            }
        }
    }

    /// A page is kept for each language, with its own entity tag, and shared by all who read it in that language.
    @Test func pagesOfVisitorsAreKeptByLanguage() async throws {
        try await WebAPI.run { api in
            _ = try await api.post("hello", by: try await api.person("ada"))
            var tags: [String] = []
            for _ in 0..<2 {
                for (language, heading) in Self.headings {
                    let page = try await api.send(.get, "/", headers: [Self.accepted: language.rawValue])
                    #expect(page.text.contains("<h1 class=\"page-heading\">\(heading)</h1>"))
                    #expect(page.headers[.vary] == "Cookie, Accept-Language, Accept-Encoding")
                    tags.append(try #require(page.headers[.eTag]))
                }
            }
            #expect(Set(tags).count == 3 && tags.prefix(3) == tags.suffix(3))
            // Another order of preference leads to the same page.
            let austrian = ["Accept-Language": "de-AT, en;q=0.5", "If-None-Match": tags[1]]
            #expect(try await api.send(.get, "/", headers: austrian).status == 304)
            let english = ["Accept-Language": "en", "If-None-Match": tags[1]]
            #expect(try await api.send(.get, "/", headers: english).status == 200)
        }
    }

    @Test func aPageOfAMemberFollowsTheSettingAtOnce() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (language, _) in Self.headings + Self.headings {
                let form = WebBody.form("page_language=" + language.rawValue)
                #expect(try await api.send(.post, "/settings/preferences", as: ada, form).status == 303)
                #expect(try await Self.language(of: api.send(.get, "/home", as: ada)) == language)
                let settings = try await api.send(.get, "/settings/preferences", as: ada).text
                #expect(settings.contains("value=\"\(language.rawValue)\" selected"))
            }
            let refused = try await api.send(.post, "/settings/preferences", as: ada, .form("page_language=fr"))
            #expect(refused.status == 422 && refused.text.contains("id=\"field-0-5-message\""))
        }
    }

    /// The English words of templates that are longer than a word, as they would be left over on a page.
    private static let english = EnglishText().words.named.filter { name, text in
        text.contains(" ") && !text.contains("{{") && name != "title"
    }

    @Test func pagesHaveNoEnglishWordsLeft() async throws {
        try await WebAPI.run(registration: .open) { api in
            let (root, ada) = (try await api.admin("root"), try await api.person("ada"))
            let id = try await api.post(
                "x #y", by: ada, more: "&poll[options][]=a&poll[options][]=b&poll[expires_in]=3600")
            _ = try await api.post("z", by: root, replyTo: id)
            let paths = [
                "/", "/home", "/@ada", "/@ada/\(id)", "/@ada/followers", "/@ada/report", "/@ada/note", "/tags/y",
                "/notifications", "/conversations", "/bookmarks", "/favourites", "/lists", "/followed_tags",
                "/follow_requests", "/search", "/search?q=x", "/about", "/compose", "/compose?in_reply_to_id=\(id)",
                "/settings", "/admin", "/login", "/join", "/nothing-here",
            ]
            let settings = SettingsPage.allCases.filter { $0 != .lists && $0 != .hashtags }.map(\.rawValue)
            for path in paths + settings + AdminTab.allCases.map(\.rawValue) {
                for language in [PageLanguage.german, .chinese] {
                    let viewer = ["/login", "/join"].contains(path) ? nil : root
                    let page = try await api.send(
                        .get, path, as: viewer, headers: [Self.accepted: language.rawValue, "Accept": "text/html"])
                    #expect(page.status == (path == "/nothing-here" ? 404 : 200), "\(path): \(page.summary)")
                    #expect(try Self.language(of: page) == language, "\(path)")
                    for (name, text) in Self.english
                    where page.text.contains(">" + text) || page.text.contains(text + "<") {
                        Issue.record("\(path) in \(language) contains \(name): \(text)")
                    }
                }
            }
        }
    }

    @Test func questionsOfTheOperatorAreInTheLanguageOfThePage() async throws {
        try await WebAPI.run { api in
            let (root, ada) = (try await api.admin("root"), try await api.person("ada"))
            let place = "/admin/accounts/" + ada.id
            let german = [Self.accepted: "de", "Accept": "text/html"]
            let refused = try await api.send(.post, place + "/remove", as: root, .form(""), headers: german)
            #expect(refused.status == 403 && refused.text.contains("Nur ein gesperrtes Konto kann gelöscht werden"))
            _ = try await api.send(.post, place + "/suspend", as: root, .form(""))
            let account = try await api.send(.get, place, as: root, headers: german)
            #expect(account.text.contains(">Löschen</a>"))
            let question = try await api.send(.get, place + "/remove", as: root, headers: german)
            #expect(question.text.contains("@ada löschen?") && question.text.contains("Konto endgültig löschen"))
            let chinese = try await api.send(.get, place + "/remove", as: root, headers: [Self.accepted: "zh-CN"])
            #expect(chinese.text.contains("删除 @ada？") && chinese.text.contains("永久删除该账号"))
        }
    }

    @Test func refusalsOfFormsAreInTheLanguageOfThePage() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let german = [Self.accepted: "de"]
            let post = try await api.send(.post, "/compose", as: ada, .form("status="), headers: german)
            #expect(post.status == 422 && post.text.contains("Der Text darf nicht leer sein"), "\(post.summary)")
            let list = try await api.send(.post, "/lists", as: ada, .form("title="), headers: german)
            #expect(list.status == 422 && list.text.contains("Der Titel darf nicht leer sein"), "\(list.summary)")
            let login = try await api.send(
                .post, "/login", .form("username=ada&password=wrong"),
                headers: [Self.accepted: "zh-CN", "Sec-Fetch-Site": "same-origin"])
            #expect(login.status == 422 && login.text.contains("用户名或密码错误。"), "\(login.summary)")
            // What programs read stays English.
            let json = try await api.send(.get, "/api/v1/statuses/5", headers: german)
            #expect(json.text.contains("Record not found"))
        }
    }
}
