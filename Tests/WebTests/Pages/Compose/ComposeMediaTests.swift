import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

extension Person {
    /// Sends a form with files, as a browser does.
    func send(_ path: String, files: [[UInt8]], _ fields: [String: String]) async throws -> Response {
        let body = WebBody.files(
            files.map { ("file", $0) }, fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        var headers: HTTPFields = [.contentType: body.type, .fetchSite: "same-origin"]
        headers[.cookie] = cookie
        return try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body.bytes))
        {
            Response(status: $0.status.code, headers: $0.headers, text: String(buffer: $0.body))
        }
    }

    /// The fields of the open form, with a text.
    func composing(_ text: String, at path: String = "/compose") async throws -> [String: String] {
        HTMLForm.hidden(in: try await send(.get, path).text)
            .merging(["status": text, "visibility": "public", "language": "de"]) { $1 }
    }

    /// The status to which a response leads.
    func posted(_ response: Response, _ test: TestServices) async throws -> Status {
        let name = response.location?.split(separator: "/").last?.prefix { $0 != "#" }
        let id = try #require(name.flatMap { Int64($0) }, "\(response.status) \(response.text)")
        return try #require(try await test.store.statuses.status(id: id, for: nil))
    }
}

/// The files of the page on which members post.
@Suite(.hangLimit)
struct ComposeMediaTests {
    @Test func addedFileIsDescribedAndPosted() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            var fields = try await person.composing("look")
            fields["add"] = "1"
            let added = try await person.send("/compose", files: [SampleMedia.png()], fields)
            #expect(added.status == 200 && added.text.contains(">\nlook</textarea>"))
            #expect(added.text.contains("<option value=\"de\" selected>German</option>"))
            #expect(added.text.contains("<img class=\"attachment-preview\" src=\"/media/"))
            fields = fields.merging(HTMLForm.hidden(in: added.text)) { $1 }
            fields["add"] = nil
            fields["media_attributes[0][description]"] = "<img src=x> \u{202E}a cat"
            fields["media_attributes[0][focus]"] = "-1,1"
            fields["sensitive"] = "1"
            let sent = try await person.send(.post, "/compose", fields)
            let status = try await person.posted(sent, test)
            #expect(status.media.map(\.description) == ["<img src=x> \u{202E}a cat"])
            #expect(status.media.map(\.focus) == [MediaFocus(x: -1, y: 1)] && status.sensitive)
            #expect(status.language == "de")
            #expect(try await person.posted(person.send(.post, "/compose", fields), test).id == status.id)
            let page = try await person.send(.get, try #require(sent.location)).text
            #expect(page.contains("alt=\"&lt;img src=x&gt;") && !page.contains("<img src=x>"))
        }
    }

    @Test func doubleClickWithAFilePostsOnce() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            let fields = try await person.composing("look")
            let files = [SampleMedia.png(1), SampleMedia.png(2)]
            let status = try await person.posted(person.send("/compose", files: files, fields), test)
            #expect(status.media.count == 2)
            #expect(try await person.posted(person.send("/compose", files: files, fields), test).id == status.id)
            // The form after a return to it, with another file.
            let other = try await person.posted(person.send("/compose", files: [SampleMedia.png(3)], fields), test)
            #expect(other.id != status.id)
        }
    }

    @Test func refusalKeepsWhatWasUploaded() async throws {
        try await Person.served(try TestServices()) { test, person in
            try await person.logIn()
            var fields = try await person.composing(String(repeating: "long ", count: 200))
            let refused = try await person.send("/compose", files: [SampleMedia.png()], fields)
            #expect(refused.status == 422 && refused.text.contains("aria-describedby=\"status-limit status-message\""))
            #expect(refused.text.contains("attachment-preview") && refused.text.contains("long long </textarea>"))
            fields = fields.merging(HTMLForm.hidden(in: refused.text)) { $1 }
            fields["media_attributes[0][description]"] = String(repeating: "x", count: 1501)
            fields["status"] = "short"
            let long = try await person.send(.post, "/compose", fields)
            #expect(long.status == 422 && long.text.contains("aria-describedby=\"description-limit media-error\""))
            #expect(long.text.contains(String(repeating: "x", count: 1501) + "</textarea>"))
            fields["media_attributes[0][description]"] = "cat"
            let status = try await person.posted(person.send(.post, "/compose", fields), test)
            #expect(status.text == "short" && status.media.map(\.description) == ["cat"])
        }
    }

    @Test func refusedFilesKeepTheRestOfTheForm() async throws {
        var limits = Limits()
        (limits.media.imageBytes, limits.media.videoBytes) = (2000, 2000)
        try await Person.served(try TestServices(limits: limits)) { test, person in
            try await person.logIn()
            let fields = try await person.composing("kept")
            let large = SampleMedia.png() + [UInt8](repeating: 0, count: 4000)
            let tries: [([[UInt8]], Int, String)] = [
                ([Array("no picture".utf8)], 422, "File is not an image"),
                ([large], 413, "The file is larger than 2000 bytes"),
                ([SampleMedia.png(1), large], 413, "The file is larger than 2000 bytes"),
                ((1...6).map { SampleMedia.png($0) }, 422, "Cannot attach more than 4 files"),
            ]
            for (files, code, message) in tries {
                let refused = try await person.send("/compose", files: files, fields)
                #expect(refused.status == code && refused.text.contains(message), "\(message)")
                #expect(refused.text.contains("id=\"media-error\"") && refused.text.contains(">\nkept</textarea>"))
                #expect(refused.text.contains(" media-error\" aria-invalid=\"true\""))
                #expect(refused.text.contains("attachment-preview") == (files.count > 1))
                #expect(HTMLForm.hidden(in: refused.text)["key"] == fields["key"])
            }
            let status = try await person.posted(person.send(.post, "/compose", fields), test)
            #expect(status.text == "kept")
        }
    }

    @Test func filesAreRemovedAndThoseOfOthersAreRefused() async throws {
        try await Person.served(try TestServices()) { test, person in
            let (grace, _) = try await test.account("grace")
            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let (own, other) = (try await test.store.image(by: ada), try await test.store.image(2, by: grace))
            try await person.logIn()
            var fields = try await person.composing("look")
            fields["media_ids[0]"] = String(own.id)
            fields["remove"] = String(own.id)
            let removed = try await person.send(.post, "/compose", fields)
            #expect(removed.status == 200 && !removed.text.contains("attachment-preview"))
            #expect(try await test.store.media.media(id: own.id, of: ada.id) == nil)
            fields["remove"] = nil
            for id in [own.id, other.id, 5] {
                fields["media_ids[0]"] = String(id)
                let refused = try await person.send(.post, "/compose", fields)
                #expect(refused.status == 422 && refused.text.contains("A file is gone. Add it again."), "\(id)")
            }
            fields["remove"] = String(other.id)
            #expect(try await person.send(.post, "/compose", fields).status == 200)
            #expect(try await test.store.media.media(id: other.id, of: grace.id) != nil)
        }
    }

    @Test func videoAndPictureAreRefusedAtTheMedia() async throws {
        try await Person.served(try TestServices()) { _, person in
            try await person.logIn()
            let fields = try await person.composing("both")
            let refused = try await person.send("/compose", files: [SampleMedia.mp4, SampleMedia.png()], fields)
            #expect(refused.status == 422 && refused.text.contains("id=\"media-error\""))
            #expect(refused.text.contains("1 video, number 1") && refused.text.contains("1 image, number 2"))
            #expect(refused.text.components(separatedBy: "What stays visible").count == 2)
        }
    }

    @Test func formOfAServerWithoutMediaHasNone() async throws {
        try await Person.served(try TestServices(processesMedia: false)) { test, person in
            try await person.logIn()
            #expect(try await !person.send(.get, "/compose").text.contains("type=\"file\""))
            let fields = try await person.composing("plain")
            #expect(try await person.posted(person.send("/compose", files: [], fields), test).text == "plain")
        }
    }
}
