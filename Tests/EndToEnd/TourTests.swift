import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The example program, as a reader of the documentation runs it.
@Suite(.hangLimit)
struct TourTests {
    @Test func tourPostsAndTransfersAFile() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let folder = try TemporaryFolder()
        let file = try folder.file("notes.txt", "some notes\n")
        let tour = try await Tool.run(Programs.tour, [server.address, "ada", "secretsecret", file])
        #expect(tour.code == 0, "\(tour.error)")
        #expect(
            tour.text == """
                read 0 statuses by 0 authors
                posted Hello from FeedClientKit
                downloaded \(file).copy: sha-256 as asked for

                """)
        #expect(FileManager.default.contents(atPath: file + ".copy") == Data("some notes\n".utf8))
    }

    /// The client is shut down; otherwise, a debug build ends with a failed assertion.
    @Test func wrongPasswordIsReported() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let tour = try await Tool.run(Programs.tour, [server.address, "ada", "wrong", "notes.txt"])
        #expect(tour.code == 1 && tour.text.hasPrefix("error: ") && tour.error.isEmpty, "\(tour.text) \(tour.error)")
    }

    @Test func missingArgumentsAreExplained() async throws {
        let tour = try await Tool.run(Programs.tour, [])
        #expect(tour.code == 64 && tour.text == "usage: tour SERVER USERNAME PASSWORD FILE\n")
    }
}
