import FeedCore
import FeedStore
import FeedTestSupport
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct TemplateTests {
    private static let values: TemplateValues = {
        var values = TemplateValues()
        values.set(.title, #"<a href="x">'&'"#)
        values.set(.hint, "")
        values[.content] = .html(#"<a href="~/@ada">~/x</a> "~/"#)
        values.set(.focus, true)
        values.set(.empty, false)
        values[.scopes] = .texts(["read", "<write>"])
        values[.fields] = .list([])
        values[.statuses] = .list(
            ["ada", "bob"].map {
                var status = TemplateValues()
                status.set(.name, $0)
                if $0 == "bob" { status.set(.title, "inner") }
                return status
            })
        var profile = TemplateValues()
        profile.set(.statuses, "7")
        values[.profile] = .object(profile)
        return values
    }()

    private static let rendered: [(template: String, text: String)] = [
        ("", ""), ("plain } text {\n", "plain } text {\n"),
        ("{{title}}", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;"),
        ("{{ title }}{{! a comment }}.", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;."),
        // Text is escaped, and HTML is not, even if the template asks for the opposite.
        ("{{{title}}}", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;"), ("{{content}}", #"<a href="/@ada">~/x</a> "/"#),
        ("{{{content}}}", #"<a href="/@ada">~/x</a> "/"#),
        ("{{#focus}}yes{{/focus}}{{^focus}}no{{/focus}}", "yes"),
        ("{{#empty}}yes{{/empty}}{{^empty}}no{{/empty}}", "no"),
        ("{{#fields}}yes{{/fields}}{{^fields}}no{{/fields}}", "no"), ("{{#hint}}[{{hint}}]{{/hint}}", "[]"),
        ("{{#scopes}}<{{.}}>{{/scopes}}", "<read><&lt;write&gt;>"),
        (
            "{{#statuses}}{{name}}: {{title}}; {{/statuses}}",
            "ada: &lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;; bob: inner; "
        ),
        ("{{#profile}}{{statuses}}{{/profile}}{{statuses}}", "7"),
        ("{{#focus}}{{#statuses}}{{#focus}}{{name}}{{/focus}}{{/statuses}}{{/focus}}", "adabob"),
        // A tag that is alone on its line leaves no empty line; others do not change the text around them.
        ("a\n{{#focus}}\nb\n{{/focus}}\nc\n", "a\nb\nc\n"), ("a\n  {{#empty}} \t\nb\n{{/empty}}\r\nc", "a\nc"),
        ("{{! one\ntwo }}\nx", "x"), ("a {{! x }}\nb", "a \nb"), ("a\n{{#focus}} b{{/focus}}\n", "a\n b\n"),
        ("{{#focus}} {{/focus}}\n", " \n"), ("x\n{{>status}}\ny", "x\n<7>\ny"), ("x {{> status }} y", "x <7>\n y"),
        ("{{#focus}}\n{{/focus}}", ""), ("é🎉{{#focus}}ß{{/focus}}", "é🎉ß"),
        ("{{text.search}} {{#focus}}{{text.joined}}{{/focus}}", "Search Joined "),
    ]

    @Test(arguments: rendered.indices) func templatesAreRendered(index: Int) throws {
        let (template, text) = Self.rendered[index]
        let library = try TemplateLibrary([
            "page": Array(template.utf8), "status": Array("<{{#profile}}{{statuses}}{{/profile}}>\n".utf8),
        ])
        #expect(String(decoding: library.render("page", Self.values), as: UTF8.self) == text, "\(template)")
    }

    @Test(arguments: [
        "{{", "{{title", "{{title}", "{{{title}}", "{{#focus}}", "{{/focus}}", "{{#focus}}{{/empty}}", "{{nonsense}}",
        "{{}}", "{{#}}", "{{text.nonsense}}", "{{text.skip", "{{>nothing}}", "{{>page}}", "{{>other}}",
        "{{#focus}}{{>other}}{{/focus}}",
    ])
    func malformedTemplatesAreRefused(template: String) throws {
        let error = try #require(throws: FeedError.self) {
            try TemplateLibrary([
                "page": Array(template.utf8), "other": Array("{{>page}}".utf8),
            ])
        }
        #expect(error.kind == .storage && error.message.contains(".mustache"), "\(error.message)")
    }

    /// Every kind of page, without remains of tags or of their lines.
    @Test func pagesContainNoRemainsOfTheirTemplates() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let (bob, _) = try await test.account("bob")
        let first = try await test.store.post("hello <world> #tag", by: ada)
        try await test.store.post("@ada yes", by: bob, replyTo: first.id)
        _ = try await test.store.boosts.boost(first.id, visibility: nil, by: bob.id)
        let client = TestClient(test.services)
        let paths = [
            "/", "/@ada", "/@bob?limit=1", "/@ada/with_replies", "/@ada/media", "/@ada/followers", "/@ada/\(first.id)",
            "/tags/tag", "/tags/none",
            "/@nobody",
        ]
        for path in paths {
            try await client.execute(uri: path, method: .get, headers: [.accept: "text/html"], body: nil) {
                let page = String(buffer: $0.body)
                #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"), "\(path)")
                for part in ["{{", "}}", "\n\n", "\"~/", "Optional("] {
                    #expect(!page.contains(part), "\(path): \(part)")
                }
            }
        }
        try await client.execute(uri: "/@bob/with_replies", method: .get) { response in
            let page = String(buffer: response.body)
            for part in [
                "Boosted by <a class=\"p-author h-card\" href=\"/@bob\"><bdi>bob</bdi></a>",
                "<a class=\"u-in-reply-to\" href=\"/@ada/\(first.id)\"><bdi>@ada</bdi></a>",
                "<dt><a href=\"/@bob/followers\">Followers</a></dt><dd>0</dd>",
                "hello &lt;world&gt; <a href=\"/tags/tag\"",
            ] { #expect(page.contains(part), "\(part)") }
        }
    }

    /// A page of a profile or a status that no longer exists is not taken from the cache.
    @Test func removedPagesAreNotFound() async throws {
        let test = try TestServices()
        let (ada, _) = try await test.account("ada")
        let (bob, _) = try await test.account("bob")
        let status = try await test.store.post("hello", by: ada)
        let client = TestClient(test.services)
        func check(_ path: String, _ expected: Int) async throws {
            try await client.execute(uri: path, method: .get) { #expect($0.status.code == expected, "\(path)") }
        }
        for path in ["/@ada/\(status.id)", "/@ADA/\(status.id)", "/@ada", "/@bob"] { try await check(path, 200) }
        try await check("/@bob/\(status.id)", 404)
        _ = try await test.store.statuses.delete(id: status.id, by: ada.id)
        try await check("/@ada/\(status.id)", 404)
        try await test.store.moderation.perform(.suspend, on: bob.id)
        try await check("/@bob", 404)
        try await test.store.moderation.perform(.unsuspend, on: bob.id)
        try await check("/@bob", 200)
    }
}
