import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The files that browsers and search engines look for, and the operator's own.
@Suite(.hangLimit)
struct AssetTests {
    @Test func manifestNamesTheSiteAndItsIcons() async throws {
        try await WebAPI.run { api in
            var values = ReloadableSettings.Values()
            (values.site.title, values.site.text) = ("Hafen \"<3\"", "Ships & boats")
            api.test.settings.replace(with: values)
            let response = try await api.send(.get, "/manifest.webmanifest")
            let manifest = try #require(response.json)
            #expect(response.headers[.contentType] == "application/manifest+json")
            #expect(manifest["name"]?.text == "Hafen \"<3\"" && manifest["description"]?.text == "Ships & boats")
            for icon in manifest["icons"]?.list ?? [] {
                let shown = try await api.send(.get, try #require(icon["src"]?.text))
                #expect(shown.status == 200 && shown.headers[.contentType] == icon["type"]?.text)
            }
            #expect(manifest["icons"]?.list?.count == 3)
            let page = try await api.send(.get, "/")
            #expect(page.text.contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("manifest-src 'self'") == true)
        }
    }

    @Test func iconsHaveTheirOldAddresses() async throws {
        try await WebAPI.run { api in
            let icon = try await api.send(.get, "/favicon.ico")
            #expect(icon.status == 200 && icon.headers[.contentType] == "image/vnd.microsoft.icon")
            #expect(icon.body.prefix(4) == Data([0, 0, 1, 0]))
            let picture = try await api.send(.get, "/apple-touch-icon.png")
            #expect(picture.status == 200 && picture.headers[.contentType] == "image/png")
            #expect(picture.body.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        }
    }

    @Test func styleAndScriptAreCompressed() async throws {
        try await WebAPI.run { api in
            for path in ["/assets/style.css", "/assets/reader.js", "/assets/icon.svg"] {
                let plain = try await api.send(.get, path)
                let small = try await api.send(.get, path, headers: ["Accept-Encoding": "gzip"])
                #expect(plain.headers[.contentEncoding] == nil && small.headers[.contentEncoding] == "gzip")
                #expect(plain.headers[.vary] == "Accept-Encoding" && small.headers[.vary] == "Accept-Encoding")
                #expect(small.body.prefix(2) == Data([0x1F, 0x8B]) && small.body.count < plain.body.count)
                let tag = try #require(small.headers[.eTag])
                #expect(tag != plain.headers[.eTag])
                let known = ["Accept-Encoding": "gzip", "If-None-Match": tag]
                #expect(try await api.send(.get, path, headers: known).status == 304)
            }
        }
    }

    @Test func scriptsAreKeptUnderTheirVersionAndFoundByThePages() async throws {
        try await WebAPI.run { api in
            let page = try await api.send(.get, "/").text
            let match = try #require(page.firstMatch(of: /<script type="module" src="(.+?)reader\.js">/))
            let path = String(match.output.1)
            let sources = try await api.send(.get, path + "reader.js")
            #expect(sources.headers[.cacheControl] == "public, max-age=31536000, immutable")
            for module in sources.text.matches(of: /(?:from|import) '\.\/(\w+\.js)'/).map(\.output.1) {
                let response = try await api.send(.get, path + String(module))
                #expect(response.status == 200 && response.headers[.contentType] == "text/javascript; charset=utf-8")
                #expect(!response.text.contains("http:") && !response.text.contains("https:"), "\(module)")
            }
            let old = try await api.send(.get, "/assets/0123456789ab/reader.js")
            #expect(old.status == 200 && old.headers[.cacheControl] == "no-cache")
            for missing in ["page.mustache", "missing.js", "..%2Freader.js"] {
                #expect(try await api.send(.get, path + missing).status == 404, "\(missing)")
            }
        }
    }

    @Test func serviceWorkerControlsAllPagesAndMayOnlyFetchFromTheServer() async throws {
        try await WebAPI.run { api in
            let worker = try await api.send(.get, "/sw.js")
            #expect(worker.status == 200 && worker.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(worker.headers[.cacheControl] == "no-cache" && worker.headers[.eTag] != nil)
            #expect(worker.headers[.contentSecurityPolicy] == "default-src 'none'; connect-src 'self'")
            let small = try await api.send(.get, "/sw.js", headers: ["Accept-Encoding": "gzip"])
            #expect(small.headers[.contentEncoding] == "gzip" && small.body.count < worker.body.count)
        }
    }

    /// What a first visit has to load, before it is compressed.
    @Test func styleAndScriptsAreSmall() throws {
        let files = try TestServices().services.site.assets.edition().files
        let code = files.filter { $0.key.hasSuffix(".js") || $0.key.hasSuffix(".css") }
        #expect(code.count > 10 && code.values.map(\.count).reduce(0, +) < 80_000)
    }

    @Test func searchEnginesStayAwayFromFormsAndPersonalPages() async throws {
        try await WebAPI.run { api in
            let robots = try await api.send(.get, "/robots.txt")
            #expect(robots.status == 200 && robots.headers[.contentType] == "text/plain; charset=utf-8")
            let lines = robots.text.split(separator: "\n")
            #expect(lines.first == "User-agent: *")
            for path in ["/search", "/home", "/notifications", "/conversations", "/settings", "/admin", "/api/"] {
                #expect(lines.contains { $0 == "Disallow: \(path)" }, "\(path)")
            }
            #expect(!lines.contains { "/@ada".hasPrefix($0.dropFirst(10)) })
        }
    }

    @Test func operatorsFilesAreServedByTheirExactNames() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("apple-app-site-association", "{\"webcredentials\":{}}")
        _ = try folder.file("nodeinfo", "not ours")
        let test = try TestServices()
        test.services.wellKnown.replace(with: try WellKnownFolder(folder.path))
        try await WebAPI.run(test, test.services) { api in
            let file = try await api.send(.get, "/.well-known/apple-app-site-association")
            #expect(file.status == 200 && file.text == "{\"webcredentials\":{}}")
            #expect(file.headers[.contentType] == "application/json" && file.headers[.location] == nil)
            let tag = try #require(file.headers[.eTag])
            let same = try await api.send(
                .get, "/.well-known/apple-app-site-association", headers: ["If-None-Match": tag])
            #expect(same.status == 304)
            #expect(try await api.send(.get, "/.well-known/nodeinfo").json?["links"] != nil)
            for name in [
                "Apple-App-Site-Association", "apple-app-site-association.json", "missing", "..", "%2e%2e%2fsecret",
                "..%2F..%2Fetc%2Fpasswd", "apple-app-site-association%00", "%FF",
            ] {
                let response = try await api.send(.get, "/.well-known/" + name)
                #expect((400..<500).contains(response.status), "\(name): \(response.status)")
            }
            let posted = try await api.send(.post, "/.well-known/apple-app-site-association", nil)
            #expect(posted.status == 405)
        }
    }
}
