import Foundation
import TestKit
import Testing

/// Every relative link and every anchor in the documents leads somewhere.
@Suite(.hangLimit)
struct LinkTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The documents, by their paths below the root.
    private static func documents() throws -> [String: String] {
        let guides = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Docs").path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/" + $0 }
        let paths = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] + guides
        var documents: [String: String] = [:]
        for path in paths {
            documents[path] = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        }
        return documents
    }

    @Test func everyLinkLeadsSomewhere() throws {
        let documents = try Self.documents()
        let checker = LinkChecker(documents: documents) { path in
            FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(path).path)
        }
        let count = documents.values.map { Markdown.links(in: $0).count }.reduce(0, +)
        #expect(count > 80)
        #expect(checker.brokenLinks.isEmpty, "\(checker.brokenLinks)")
    }

    @Test(arguments: [
        "[a](missing.md)", "[a](#no-such-heading)", "[a](b.md#no-such-heading)", "[a](../a.md)", "[a](/Docs/b.md)",
        "![a](missing.png)", "[a][1]\n\n[1]: missing.md", "<img src=\"missing.png\">", "[a](picture.png#a)",
        "[`a`](missing.md \"Title\")", "[a](#b-3)",
    ])
    func brokenLinksAreFound(link: String) {
        let checker = LinkChecker(documents: ["Docs/a.md": "# A\n\n\(link)\n", "Docs/b.md": "# B\n\n## B\n"]) {
            ["Docs/a.md", "Docs/b.md", "Docs/picture.png"].contains($0)
        }
        #expect(checker.brokenLinks.count == 1)
    }

    @Test(arguments: [
        "[a](b.md)", "[a](b.md#b)", "[a](b.md#b-1)", "[a](#what-is-missing)", "[a](../README.md)", "![a](picture.png)",
        "[a](./b.md)", "[a](https://example.org/missing.md#x)", "[a](mailto:ada@example.org)",
        "```\n[a](missing.md)\n```",
    ])
    func validLinksAreAccepted(link: String) {
        let text = "# A\n\n\(link)\n\n## What is missing?\n"
        let checker = LinkChecker(documents: ["Docs/a.md": text, "Docs/b.md": "# B\n\n```\n# Code\n```\n\n## B\n"]) {
            ["README.md", "Docs/a.md", "Docs/b.md", "Docs/picture.png"].contains($0)
        }
        #expect(checker.brokenLinks.isEmpty, "\(checker.brokenLinks)")
    }

    /// As GitHub computes them.
    @Test(arguments: [
        ("HTTP/2", "http2"), ("Behind a reverse proxy", "behind-a-reverse-proxy"),
        ("`stats` and doctor", "stats-and-doctor"), ("Files & uploads", "files--uploads"),
        ("snake_case-and_more", "snake_case-and_more"), ("Größe", "größe"),
        ("See [the guide](b.md)!", "see-the-guide"), ("[0.1.0] - 2027-01-01", "010---2027-01-01"),
    ])
    func anchorsAreThoseOfGitHub(heading: String, anchor: String) {
        #expect(Markdown.anchors(in: "## \(heading)\n") == [anchor])
    }
}

/// Finds links that lead nowhere.
private struct LinkChecker {
    /// The text of the documents, by their paths.
    let documents: [String: String]
    /// Whether there is a file or folder with a path.
    let exists: (String) -> Bool

    /// The broken links, as the path of the document and the target.
    var brokenLinks: [String] {
        documents.sorted { $0.key < $1.key }.flatMap { path, text in
            Markdown.links(in: text).filter { !isValid($0, in: path) }.map { path + ": " + $0 }
        }
    }

    private func isValid(_ target: String, in document: String) -> Bool {
        guard !target.contains("://"), !target.hasPrefix("mailto:") else { return true }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let path = parts[0].isEmpty ? document : Self.resolve(parts[0], from: document), exists(path) else {
            return false
        }
        guard parts.count == 2 else { return true }
        return documents[path].map { Markdown.anchors(in: $0).contains(parts[1]) } ?? false
    }

    /// The path below the root to which a relative link leads; `nil` for one that leads out of it.
    private static func resolve(_ target: String, from document: String) -> String? {
        guard !target.hasPrefix("/") else { return nil }
        var folders = document.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": guard folders.popLast() != nil else { return nil }
            default: folders.append(String(part))
            }
        }
        return folders.joined(separator: "/")
    }
}

/// The links and headings of Markdown, without its code blocks.
private enum Markdown {
    /// The targets of links and images, in Markdown and in HTML.
    static func links(in text: String) -> [String] {
        let prose = lines(of: text).joined(separator: "\n")
        let inline = prose.matches(of: /\]\(([^)\s]+)(?:\s+"[^"]*")?\)/).map { String($0.1) }
        let definitions = prose.matches(of: /(?m)^\[[^\]]+\]:\s*(\S+)/).map { String($0.1) }
        let attributes = prose.matches(of: /(?:src|href)="([^"]+)"/).map { String($0.1) }
        return inline + definitions + attributes
    }

    /// The anchors of the headings. A heading that is repeated gets a number.
    static func anchors(in text: String) -> Set<String> {
        var counts: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in lines(of: text) {
            guard let heading = line.wholeMatch(of: /#{1,6}\s+(.*)/)?.1 else { continue }
            let name = Self.anchor(of: String(heading))
            let count = counts[name, default: 0]
            counts[name] = count + 1
            anchors.insert(count == 0 ? name : "\(name)-\(count)")
        }
        return anchors
    }

    private static func lines(of text: String) -> [String] {
        var isCode = false
        return text.components(separatedBy: "\n").filter { line in
            guard line.drop(while: { $0 == " " }).hasPrefix("```") else { return !isCode }
            isCode.toggle()
            return false
        }
    }

    private static func anchor(of heading: String) -> String {
        let plain = heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }.lowercased()
        return String(String.UnicodeScalarView(plain.unicodeScalars.compactMap(Self.kept)))
    }

    /// A letter, mark, digit, underscore or hyphen; a hyphen for a space.
    private static func kept(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .connectorPunctuation:
            scalar
        default: scalar == " " || scalar == "-" ? "-" : nil
        }
    }
}
