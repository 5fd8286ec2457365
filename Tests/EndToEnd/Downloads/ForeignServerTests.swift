import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Downloads from third-party servers.
@Suite(.hangLimit)
struct ForeignServerTests {
    private static let size = 48 << 20 | 3
    /// The number of bytes delivered before a download is killed: more than the client buffers before it writes.
    private static let delivered = 8 << 20
    private static let content = OfferedFile.random(size).bytes
    private static let other = OfferedFile.random(size, seed: 2).bytes

    /// Stores a file with an old date, because Apache sends weak entity tags for files younger than a second.
    private static func put(_ bytes: Data, _ name: String, _ place: ForeignServer.Place, year: Int) throws {
        let path = place.files + "/" + name
        try bytes.write(to: URL(fileURLWithPath: path))
        let date = Date(timeIntervalSince1970: Double(year - 1970) * 31_556_952)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    @Test(arguments: ForeignServer.all)
    func filesAreDownloadedIntact(_ server: ForeignServer) async throws {
        guard server.isInstalled else { return print("\(server.program) is not installed: scripts/foreign-clients") }
        try await server.serving { place in
            let files = ["empty": Data(), "one byte": Data([7]), "größer.bin": Self.content]
            for (name, bytes) in files { try Self.put(bytes, name, place, year: 2020) }
            for (name, bytes) in files {
                for width in ConnectionCount.allCases {
                    let fixture = try DownloadFixture()
                    let path = try #require(name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
                    let done = try await fixture.download(place.address + "/" + path, width.options)
                    #expect(done.code == 0 && done.verified == "size only", "\(name): \(done.error)")
                    #expect(FileManager.default.contents(atPath: fixture.output) == bytes, "\(name)")
                    #expect(try fixture.names() == ["out.bin"])
                }
            }
            let missing = try await DownloadFixture().download(place.address + "/nothing")
            #expect(missing.code == 3, "\(missing.error)")
        }
    }

    /// Killed, then resumed to the end, with the same file or with another one of the same length.
    @Test(arguments: ForeignServer.all, [false, true])
    func killedDownloadResumesUnlessTheFileChanged(_ server: ForeignServer, _ changes: Bool) async throws {
        guard server.isInstalled else { return print("\(server.program) is not installed: scripts/foreign-clients") }
        try await server.serving { place in
            try Self.put(Self.content, "f", place, year: 2020)
            try await PausingProxy.serving(place.port, pausingAfter: Self.delivered) { proxy in
                let fixture = try DownloadFixture()
                try await fixture.interrupt(proxy.address + "/f") {
                    // The journal always exists, but lists no bytes if the server does not support resuming.
                    server.resumes ? fixture.journaledBytes > 0 : fixture.partBytes > 0
                }
                #expect(server.resumes || fixture.journaledBytes == 0)
                if changes { try Self.put(Self.other, "f", place, year: 2021) }
                proxy.release()
                let done = try await fixture.download(proxy.address + "/f")
                #expect(done.code == 0, "\(done.error)")
                #expect(FileManager.default.contents(atPath: fixture.output) == (changes ? Self.other : Self.content))
                #expect(done.wasResumed == (server.resumes && !changes), "\(done.error)")
            }
        }
    }
}
