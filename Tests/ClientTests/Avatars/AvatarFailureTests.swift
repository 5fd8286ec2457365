import HTTPTypes
import Testing

@testable import FeedClientKit

@Suite(.timeLimit(.minutes(15)))
struct AvatarFailureTests {
    @Test func aFailureIsRememberedForAMinute() async throws {
        try await AvatarSetting.run { setting in
            let cache = try setting.open()
            for _ in 0..<3 { #expect(await refusal(cache, setting.url("/a")) == .notFound) }
            #expect(setting.server.requests("/a") == 1)
            setting.advance(seconds: 61)
            setting.server.put("/a")
            #expect(try await cache.image(at: setting.url("/a")).source == .network)
            #expect(setting.server.statuses("/a") == [404, 200])
            await cache.close()
        }
    }

    @Test func whatTheServerHasTakenAwayIsShownNoLonger() async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            let cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            setting.server.put("/a", PictureServer.Page(status: .gone))
            setting.advance(seconds: 86_401)
            #expect(await refusal(cache, setting.url("/a")) == .notFound)
            #expect(setting.folder.files.isEmpty)
            await cache.close()
        }
    }

    @Test(arguments: [HTTPResponse.Status.internalServerError, .serviceUnavailable, .ok])
    func anOldPictureIsBetterThanNone(_ status: HTTPResponse.Status) async throws {
        try await AvatarSetting.run { setting in
            setting.server.put("/a")
            let cache = try setting.open()
            _ = try await cache.image(at: setting.url("/a"))
            setting.server.put("/a", PictureServer.Page(bytes: Array("<html>".utf8), status: status))
            setting.advance(seconds: 86_401)
            for _ in 0..<2 {
                #expect(try await cache.image(at: setting.url("/a")).bytes == PictureServer.picture())
            }
            #expect(setting.server.requests("/a") == 2)
            #expect(await cache.stats().stale == 1)
            setting.server.put("/a", PictureServer.picture(2))
            setting.advance(seconds: 61)
            #expect(try await cache.image(at: setting.url("/a")).bytes == PictureServer.picture(2))
            await cache.close()
        }
    }

    @Test func anOldPictureIsShownWhenTheServerIsDown() async throws {
        let setting = try await PictureServer.serving { server in
            server.put("/a")
            let setting = try AvatarSetting(server)
            do {
                let cache = try setting.open()
                _ = try await cache.image(at: setting.url("/a"))
                await cache.close()
            } catch {
                await setting.client.shutdown()
                throw error
            }
            return setting
        }
        setting.advance(seconds: 86_401)
        do {
            let cache = try setting.open { $0.revalidationSeconds = 1 }
            let image = try await cache.image(at: setting.url("/a"))
            #expect(image.source == .disk && image.bytes == PictureServer.picture())
            #expect(await cache.stats().stale == 1)
            await cache.close()
        } catch {
            Issue.record(error)
        }
        await setting.client.shutdown()
    }

    @Test func redirectsAreFollowedButNotForEver() async throws {
        try await AvatarSetting.run { setting in
            let redirect = { @Sendable (target: String) in
                PictureServer.Page(status: .found, headers: [.location: target])
            }
            setting.server.put("/one", redirect("/two?x=1"))
            setting.server.put("/two", redirect(setting.url("/three")))
            setting.server.put("/three", redirect("four"))
            setting.server.put("/four")
            setting.server.put("/zero", redirect("/one"))
            setting.server.put("/loop", redirect("/loop"))
            setting.server.put("/file", redirect("file:///etc/hostname"))
            let cache = try setting.open()
            #expect(try await cache.image(at: setting.url("/one")).source == .network)
            #expect(try await cache.image(at: setting.url("/one")).source == .memory)
            for path in ["/zero", "/loop", "/file"] {
                #expect(await refusal(cache, setting.url(path)) == .failed)
            }
            #expect(setting.server.requests("/loop") == 4)
            #expect(!setting.server.hasSeenCredentials)
            await cache.close()
        }
    }

    @Test(arguments: [
        "", "/a", "file:///etc/passwd", "ftp://host/a", "javascript:alert(1)", "http:///a", "http://me:secret@host/a",
        "http://host/" + String(repeating: "a", count: 5000),
    ])
    func onlyWebAddressesAreAsked(_ url: String) async throws {
        try await AvatarSetting.run { setting in
            let cache = try setting.open()
            #expect(await refusal(cache, url) == .failed)
            await cache.close()
        }
    }
}
