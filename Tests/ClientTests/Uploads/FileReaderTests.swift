import FeedTestSupport
import Foundation
import NIOCore
import TestKit
import Testing

@testable import FeedClientKit

/// Files that the user names for an upload.
@Suite(.hangLimit)
struct FileReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The errors of everything that opens a file.
    private func refusals(_ path: String) -> [FeedClientError?] {
        [
            #expect(throws: FeedClientError.self) { try FileReader(path: path) },
            #expect(throws: FeedClientError.self) { try MultipartForm.size(of: path) },
            #expect(throws: FeedClientError.self) { try MultipartForm(path) },
            #expect(throws: FeedClientError.self) {
                var form = PictureForm()
                try form.addFile(path, as: "avatar")
            },
        ]
    }

    /// Nobody writes to the pipe, so that whoever opened it for reading would wait forever.
    @Test(arguments: [true, false]) func pipeIsRefusedAtOnce(isLinked: Bool) throws {
        let path = try folder.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let link = try folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for error in refusals(isLinked ? link : path) {
            #expect(error?.code == .failed && error?.message.hasSuffix("is not a regular file") == true)
        }
    }

    @Test func foldersAndDevicesAreRefused() {
        for path in [folder.path, "/dev/null", "/dev/zero"] {
            for error in refusals(path) {
                #expect(error?.code == .failed && error?.message == path + " is not a regular file")
            }
        }
    }

    @Test func socketIsRefused() throws {
        let path = try folder.file("socket")
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        for error in refusals(path) { #expect(error?.message == path + " is not a regular file") }
    }

    @Test func missingFileIsReported() throws {
        for error in refusals(try folder.file("none")) { #expect(error?.code == .notFound && error?.hint != nil) }
    }

    /// The user has named the link.
    @Test func linkIsFollowed() async throws {
        let path = try folder.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: try folder.file("file", "content"))
        let reader = try FileReader(path: path)
        #expect(try reader.contents(limit: 100) == Data("content".utf8))
        #expect(try await reader.read(4, at: 3) == ByteBuffer(string: "tent"))
        #expect(try MultipartForm(path).size == 7)
        var form = PictureForm()
        try form.addFile(path, as: "avatar")
        #expect(!form.isEmpty)
    }

    @Test func largePictureIsRefused() throws {
        let path = try folder.file("large", "")
        #expect(truncate(path, 16 << 20) == 0)
        var form = PictureForm()
        try form.addFile(path, as: "avatar")
        #expect(truncate(path, 16 << 20 + 1) == 0)
        let error = #expect(throws: FeedClientError.self) { try form.addFile(path, as: "avatar") }
        #expect(error?.code == .failed && error?.message.contains("larger than 16 MiB") == true)
    }
}
