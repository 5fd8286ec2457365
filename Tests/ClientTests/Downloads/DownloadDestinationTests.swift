import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// The names of downloaded files.
@Suite(.hangLimit)
struct DownloadDestinationTests {
    private static let bytes = Array(SampleBytes.make(100_000))

    @Test(
        arguments: [
            (#"attachment; filename="a b.txt""#, "a b.txt"), ("attachment; filename=a.txt", "a.txt"),
            (#"attachment;filename="x"; filename*=UTF-8''%e2%82%ac%20rates"#, "€ rates"),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates", "£ rates"), ("inline", nil), ("filename=x", nil),
            (#"attachment; filename="../../evil""#, "evil"), (#"attachment; filename="C:\dir\x.doc""#, "x.doc"),
            (#"attachment; filename=".bashrc""#, "bashrc"), (#"attachment; filename="...""#, nil),
            (#"attachment; FILENAME = "q\"uote"; x=y"#, #"q"uote"#), (#"attachment; filename="a;b=c""#, "a;b=c"),
            ("attachment; filename*=UTF-8''%2e%2e%2fevil", "evil"), (#"attachment; filename="""#, nil),
            ("attachment; filename*=UTF-8''%zz; filename=ok", "ok"), (#"attachment; filename="open"#, "open"),
            ("attachment; filename*=KOI8-R''%c1; filename=ok", "ok"), ("attachment; filename=größe.txt", "größe.txt"),
            ("attachment; filename=\"a\u{7}b\u{9B}[31mc\"", "ab[31mc"),
        ] as [(String, String?)])
    func nameIsReadAndMadeSafe(field: String, name: String?) {
        #expect(DownloadDestination.fileName(field) == name)
    }

    static let sources: [(source: String, name: String)] = [
        ("notes.txt", "notes.txt"), ("http://h/a/b%20c.txt?x=1", "b c.txt"),
        ("http://h/FileDownload.aspx?file=na%20me.txt", "na me.txt"), ("http://h/?file=../../evil", "evil"),
        ("http://h/a.txt?file=", "a.txt"),
    ]

    @Test(arguments: sources) func queryNamesTheFile(row: (source: String, name: String)) throws {
        #expect(try FeedClient.destination(of: row.source, at: nil) == row.name)
        #expect(try FeedClient.destination(of: row.source, at: "/tmp") == "/tmp/" + row.name)
    }

    @Test(arguments: [
        ("?file=a", "?file=b", false), ("?file=a", "", false), ("?file=a&sig=1", "?sig=2&file=a", true),
        ("?X-Amz-Signature=1&X-Amz-Date=2", "?X-Amz-Signature=3", true), ("", "?expires=5", true),
        ("?v=1", "?v=2", false),
    ])
    func anotherQueryIsAnotherFile(one: String, other: String, isSame: Bool) {
        let identities = [one, other].map { FileIdentity.identity(of: "http://h/f" + $0) }
        #expect((identities[0] == identities[1]) == isSame, "\(identities)")
    }

    /// The server's name is used in a folder, also when the download is resumed, and no other.
    @Test func serverNamesTheFile() async throws {
        try await FileHost.serving(Self.bytes) { host, destination in
            host.behave { $0.disposition = #"attachment; filename="../the name.bin""# }
            let folder = destination.folder.path
            let result = try await destination.client.download(host.address + "?file=x", to: folder)
            #expect(result.path == folder + "/the name.bin" && destination.names == ["the name.bin"])
            _ = try await destination.client.download(host.address, to: destination.path)
            #expect(destination.content == Self.bytes)
            let queued = try await destination.client.withDownloads { queue in
                try await queue.add(host.address, to: folder, options: Self.replacing).result
            }
            #expect(queued.path == folder + "/the name.bin" && destination.names == ["the name.bin", "file.bin"])
            host.behave { $0.disposition = nil }
            let plain = try await destination.client.download(host.address + "?file=x", to: folder)
            #expect(plain.path == folder + "/x")
        }
    }

    private static var replacing: DownloadOptions {
        var options = DownloadOptions()
        options.restarts = true
        return options
    }
}
