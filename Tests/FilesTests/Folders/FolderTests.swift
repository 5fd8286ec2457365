import FeedFolders
import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct FolderTests {
    /// A folder with links to a file and to a folder beside it.
    private static func place() throws -> (outside: TemporaryFolder, folder: Folder, inside: TemporaryFolder) {
        let (outside, inside) = (try TemporaryFolder(), try TemporaryFolder())
        _ = try outside.file("victim", "precious")
        let folder = try Folder(inside.path)
        symlink(outside.path + "/victim", folder.path("file"))
        symlink(outside.path + "/missing", folder.path("dangling"))
        symlink(outside.path, folder.path("folder"))
        mkfifo(folder.path("pipe"), 0o600)
        return (outside, folder, inside)
    }

    @Test func linksInTheFolderAreNotFollowed() throws {
        let (outside, folder, inside) = try Self.place()
        for name in ["file", "dangling"] {
            let error = #expect(throws: FolderError.self) { try folder.openLockFile(name) }
            #expect(error?.isLink == true && error?.description.contains("is a symbolic link") == true)
            #expect(throws: FolderError.self) { try folder.openFile(name) }
            #expect(throws: FolderError.self) { try folder.createFile(name) }
            #expect(folder.size(ofFile: name) == nil)
        }
        #expect(throws: FolderError.self) { try folder.folder("folder") }
        #expect(throws: FolderError.self) { try folder.folder("folder", creating: true) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["victim"])
        withExtendedLifetime((outside, inside)) {}
    }

    @Test func aLinkToTheFolderItselfIsFollowed() throws {
        let (outside, folder, inside) = try Self.place()
        let linked = try Folder(folder.path("folder"))
        #expect(try linked.names() == ["victim"] && linked.size(ofFile: "victim") == 8)
        withExtendedLifetime((outside, inside)) {}
    }

    @Test func linksAreRemovedInsteadOfTheirTargets() throws {
        let (outside, folder, inside) = try Self.place()
        let inner = try folder.newFolder("inner")
        symlink(outside.path, inner.path("deeper"))
        for name in ["file", "folder", "inner"] { try folder.removeTree(name) }
        #expect(Set(try folder.names()) == ["dangling", "pipe"])
        #expect(try String(contentsOfFile: outside.path + "/victim", encoding: .utf8) == "precious")
        withExtendedLifetime((outside, inside)) {}
    }

    @Test func aPipeDoesNotBlock() throws {
        let (outside, folder, inside) = try Self.place()
        #expect(throws: FolderError.self) { try folder.openFile("pipe") }
        #expect(throws: FolderError.self) { try folder.openLockFile("pipe") }
        withExtendedLifetime((outside, inside)) {}
    }

    @Test(arguments: ["", ".", "..", "a/b", "/etc/passwd", "a\u{0}b"])
    func onlySingleSegmentsAreNames(name: String) throws {
        let (outside, folder, inside) = try Self.place()
        let attempts: [() throws -> Void] = [
            { _ = try folder.folder(name, creating: true) }, { _ = try folder.newFolder(name) },
            { _ = try folder.openFile(name) }, { _ = try folder.createFile(name) }, { try folder.removeFile(name) },
            { try folder.rename("file", to: name, in: folder) }, { try folder.removeFolder(name) },
        ]
        for attempt in attempts {
            let error = #expect(throws: FolderError.self) { try attempt() }
            #expect(error?.code == EINVAL)
        }
        withExtendedLifetime((outside, inside)) {}
    }

    @Test func filesArePrivateAndNewOnesAreNew() throws {
        let (outside, folder, inside) = try Self.place()
        close(try folder.createFile("new"))
        let error = #expect(throws: FolderError.self) { try folder.createFile("new") }
        #expect(error?.code == EEXIST)
        #expect(folder.status("new").map { $0.st_mode & 0o777 } == 0o600)
        try folder.rename("new", to: "lock", in: folder)
        close(try folder.openLockFile("lock"))
        #expect(try folder.removeFile("lock") && !folder.removeFile("lock"))
        withExtendedLifetime((outside, inside)) {}
    }

    /// Otherwise the server, which runs as the owner of the folder, could not use it.
    @Test(.enabled(if: geteuid() == 0)) func whatRootCreatesBelongsToTheOwnerOfTheFolder() throws {
        let (outside, folder, inside) = try Self.place()
        close(try folder.openLockFile("existing"))
        try #require(chown(inside.path, 12_345, 12_346) == 0)
        close(try folder.createFile("file-1"))
        close(try folder.openLockFile("lock"))
        close(try folder.newFolder("new").createFile("file"))
        close(try folder.folder("inner", creating: true).createFile("file"))
        for name in ["file-1", "lock", "new", "new/file", "inner", "inner/file"] {
            var status = stat()
            #expect(lstat(folder.path(name), &status) == 0, "\(name)")
            #expect(status.st_uid == 12_345 && status.st_gid == 12_346, "\(name)")
        }
        // A file that is there already may be somebody else's.
        close(try folder.openLockFile("existing"))
        #expect(folder.status("existing")?.st_uid == 0)
        withExtendedLifetime((outside, inside)) {}
    }
}
