import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Malformed and hostile files, posted over HTTP.
@Suite(.hangLimit, .serialized)
struct HostileUploadTests {
    private static let types: Set<String> = [
        "image/jpeg", "image/png", "image/webp", "image/gif", "video/mp4", "video/webm", "audio/mpeg", "audio/ogg",
    ]

    /// Also without the libraries that decode images.
    @Test(arguments: ["", "images"])
    func hostileFilesAreRefusedOrSanitizedInBoundedMemory(hidden: String) async throws {
        let server = try await FileServer.start(environment: ["FEED_WITHOUT": hidden])
        // What the first uploads load does not count.
        for image in SampleImages.all { _ = try await server.media(image) }
        let before = try Self.memory(of: server)
        var (most, sanitized) = (before, 0)
        for row in HostileRow.all {
            if try await Self.isSanitized(row, server) { sanitized += 1 }
            most = max(most, try Self.memory(of: server))
        }
        #expect(most - before < 16 << 20, "\(before >> 20) MiB, then \(most >> 20) MiB")
        // Decoders refuse images whose pixels are invalid.
        #expect(sanitized >= (hidden.isEmpty ? 9 : 40), "\(sanitized)")
        #expect(try await server.isAlive())
        _ = try await server.collect()
        #expect(server.unfinished().isEmpty)
    }

    /// - Returns: `false` if the file is refused.
    private static func isSanitized(_ row: HostileRow, _ server: FileServer) async throws -> Bool {
        let response = try await server.upload(Data(row.bytes))
        var mayBeStored = false
        if case .sanitized = row.outcome { mayBeStored = true }
        guard mayBeStored, response.status != 422 else {
            #expect(response.status == 422 && response.text.contains("\"error\""), "\(row.name): \(response.status)")
            return false
        }
        let media = try FileServer.decode(response, as: ShownMedia.self)
        for address in media.addresses {
            let shown = try await server.fetch(address)
            #expect(shown.status == 200 && shown.body.range(of: HostileRow.removed) == nil, "\(row.name)")
            #expect(types.contains(shown.headers["content-type"] ?? ""), "\(row.name)")
            // Videos and sound are loaded from their own address.
            let policy = shown.headers["content-security-policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none';") && policy.contains("; sandbox"), "\(row.name): \(policy)")
            #expect(!policy.contains("allow-scripts"), "\(row.name)")
            #expect(shown.headers["x-content-type-options"] == "nosniff", "\(row.name)")
        }
        return true
    }

    /// `RssAnon` in bytes.
    private static func memory(of server: FileServer) throws -> Int {
        let path = "/proc/\(server.process.processID)/status"
        let line = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").first {
            $0.hasPrefix("RssAnon:")
        }
        let words = try #require(line).split(whereSeparator: \.isWhitespace)
        return try #require(words.dropFirst().first.flatMap { Int($0) }) * 1024
    }

    /// Many more of them pass through the pool itself in ``MediaMutationTests``.
    @Test func mutatedImagesNeverStopTheServer() async throws {
        let server = try await FileServer.start()
        let seed = Soak.seed
        var mutator = Mutator(seed: seed, fragments: ["\u{0}\u{0}\u{0}", "IDAT", "ANMF", "VP8L", "\u{7F}"])
        for round in 0..<Soak.rounds(100, soaking: 10_000) {
            let image = mutator.mutated(Array(mutator.one(of: SampleImages.all)))
            let response = try await server.upload(Data(image), version: 1 + round % 2)
            #expect([200, 202, 422].contains(response.status), "seed \(seed), round \(round): \(response.status)")
        }
        #expect(try await server.isAlive())
        try await Wait.until("all uploads have been processed") { server.unfinished().isEmpty }
    }
}
