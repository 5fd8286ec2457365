import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct AvatarFailureTests {
    @Test func failureIsCachedForAMinute() async throws {
        try await AvatarFixture.run { fixture in
            let cache = try fixture.open()
            for _ in 0..<3 { #expect(await refusal(cache, fixture.url("/a")) == .notFound) }
            #expect(fixture.server.requests("/a") == 1)
            fixture.advance(seconds: 61)
            fixture.server.put("/a")
            #expect(try await cache.image(at: fixture.url("/a")).source == .network)
            #expect(fixture.server.statuses("/a") == [404, 200])
            await cache.close()
        }
    }

    @Test func removedPictureIsNoLongerShown() async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            let cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            fixture.server.put("/a", PictureServer.Page(status: .gone))
            fixture.advance(seconds: 86_401)
            #expect(await refusal(cache, fixture.url("/a")) == .notFound)
            #expect(fixture.folder.files.isEmpty)
            await cache.close()
        }
    }

    @Test(arguments: [HTTPResponse.Status.internalServerError, .serviceUnavailable, .ok])
    func stalePictureIsShownWhenRevalidationFails(_ status: HTTPResponse.Status) async throws {
        try await AvatarFixture.run { fixture in
            fixture.server.put("/a")
            let cache = try fixture.open()
            _ = try await cache.image(at: fixture.url("/a"))
            fixture.server.put("/a", PictureServer.Page(bytes: Array("<html>".utf8), status: status))
            fixture.advance(seconds: 86_401)
            for _ in 0..<2 {
                #expect(try await cache.image(at: fixture.url("/a")).bytes == PictureServer.picture())
            }
            #expect(fixture.server.requests("/a") == 2)
            #expect(await cache.stats().stale == 1)
            fixture.server.put("/a", PictureServer.picture(2))
            fixture.advance(seconds: 61)
            #expect(try await cache.image(at: fixture.url("/a")).bytes == PictureServer.picture(2))
            await cache.close()
        }
    }

    @Test func stalePictureIsShownWhenTheServerIsDown() async throws {
        // No other server gets the port afterwards.
        let reserved = try ReservedPort()
        let fixture = try await PictureServer.serving(port: reserved.number) { server in
            server.put("/a")
            let fixture = try AvatarFixture(server)
            do {
                let cache = try fixture.open()
                _ = try await cache.image(at: fixture.url("/a"))
                await cache.close()
            } catch {
                await fixture.client.shutdown()
                throw error
            }
            return fixture
        }
        fixture.advance(seconds: 86_401)
        do {
            let cache = try fixture.open()
            let image = try await cache.image(at: fixture.url("/a"))
            #expect(image.source == .disk && image.bytes == PictureServer.picture())
            #expect(await cache.stats().stale == 1)
            await cache.close()
        } catch {
            Issue.record(error)
        }
        await fixture.client.shutdown()
        withExtendedLifetime(reserved) {}
    }

    @Test func redirectsAreFollowedUpToALimit() async throws {
        try await AvatarFixture.run { fixture in
            let redirect = { @Sendable (target: String) in
                PictureServer.Page(status: .found, headers: [.location: target])
            }
            fixture.server.put("/one", redirect("/two?x=1"))
            fixture.server.put("/two", redirect(fixture.url("/three")))
            fixture.server.put("/three", redirect("four"))
            fixture.server.put("/four")
            fixture.server.put("/zero", redirect("/one"))
            fixture.server.put("/loop", redirect("/loop"))
            fixture.server.put("/file", redirect("file:///etc/hostname"))
            let cache = try fixture.open()
            #expect(try await cache.image(at: fixture.url("/one")).source == .network)
            #expect(try await cache.image(at: fixture.url("/one")).source == .memory)
            for path in ["/zero", "/loop", "/file"] {
                #expect(await refusal(cache, fixture.url(path)) == .failed)
            }
            #expect(fixture.server.requests("/loop") == 4)
            #expect(!fixture.server.hasSeenCredentials)
            await cache.close()
        }
    }

    @Test(arguments: [
        "", "/a", "file:///etc/passwd", "ftp://host/a", "javascript:alert(1)", "http:///a", "http://me:secret@host/a",
        "http://host/" + String(repeating: "a", count: 5000),
    ])
    func onlyHTTPURLsAreRequested(_ url: String) async throws {
        try await AvatarFixture.run { fixture in
            let cache = try fixture.open()
            #expect(await refusal(cache, url) == .failed)
            await cache.close()
        }
    }
}
