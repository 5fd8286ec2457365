import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The folder of the packages to inspect.
private let packages = ProcessInfo.processInfo.environment["FEED_DEB"]

/// The Debian packages that `make deb` has made; `make test-deb` runs these tests. `scripts/try-deb` installs the packages.
@Suite(.enabled(if: packages != nil, "make test-deb inspects the packages"), .hangLimit)
struct PackageTests {
    private static let libraries: Set = [
        "linux-vdso.so.1", "libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "libsqlite3.so.0", "libz.so.1",
        "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
    ]

    private static func package(_ name: String) throws -> String {
        let folder = try #require(packages)
        let file = try FileManager.default.contentsOfDirectory(atPath: folder).first {
            $0.hasPrefix(name + "_") && $0.hasSuffix(".deb")
        }
        return try folder + "/" + #require(file, "no package of \(name) in \(folder)")
    }

    private static func field(_ field: String, _ name: String) async throws -> String {
        try await Tool.run("dpkg-deb", ["--field", try package(name), field]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The content of a package, in a temporary folder.
    private static func extracted(_ name: String) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let done = try await Tool.run("dpkg-deb", ["--extract", try package(name), folder.path])
        try #require(done.code == 0, "\(done.error)")
        return folder
    }

    @Test(arguments: ["feedserver", "feedclient"])
    func programRunsWithoutASwiftRuntime(name: String) async throws {
        let program = try await Self.extracted(name)
        let linked = try await Tool.run("ldd", [program.path + "/usr/bin/" + name])
        let names = linked.text.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: \.isWhitespace).first?.split(separator: "/").last.map(String.init)
        }
        #expect(!names.isEmpty && Set(names).subtracting(Self.libraries).isEmpty, "\(linked.text)")
        let version = try await Tool.run(program.path + "/usr/bin/" + name, ["--version"])
        let expected = version.text.trimmingCharacters(in: .newlines).dropFirst(name.count + 1).replacing(
            "-", with: "~")
        #expect(try await Self.field("Version", name) == expected)
    }

    @Test(arguments: [
        (
            "feedserver", ["adduser", "libc6", "libgcc-s1", "libstdc++6", "libsqlite3-0", "zlib1g"],
            "libpq5, libturbojpeg0, libpng16-16 | libpng16-16t64, libwebp7"
        ),
        (
            "feedclient", ["ca-certificates", "libc6", "libgcc-s1", "libstdc++6", "libsqlite3-0", "zlib1g"],
            "libturbojpeg0, libpng16-16 | libpng16-16t64, libwebp7"
        ),
    ])
    func dependenciesAreFew(name: String, allowed: [String], recommended: String) async throws {
        let depends = try await Self.field("Depends", name).split(separator: ",").map {
            String($0.split(separator: " ").first ?? "")
        }
        #expect(depends.contains("libc6") && Set(depends).isSubset(of: allowed), "\(depends)")
        #expect(try await Self.field("Recommends", name) == recommended)
    }

    @Test(arguments: ["feedserver", "feedclient"])
    func filesBelongToRootAndAreWhereDebianExpectsThem(name: String) async throws {
        let listed = try await Tool.run("dpkg-deb", ["--contents", try Self.package(name)])
        for line in listed.text.split(separator: "\n") {
            let isWritableByOthers = line.dropFirst(8).hasPrefix("w")
            #expect(line.contains(" root/root ") && !isWritableByOthers, "\(line)")
        }
        let expected = [
            "bin/\(name)", "share/bash-completion/completions/\(name)", "share/zsh/vendor-completions/_\(name)",
            "share/fish/vendor_completions.d/\(name).fish", "share/doc/\(name)/copyright",
            "share/doc/\(name)/changelog.gz", "share/doc/\(name)/THIRD-PARTY.gz",
        ]
        for path in expected { #expect(listed.text.contains(" ./usr/\(path)\n"), "\(path)") }
    }

    @Test(arguments: ["feedserver", "feedclient"])
    func everyCommandHasAManPage(name: String) async throws {
        let folder = try await Self.extracted(name)
        let commands = try await CommandList.of(folder.path + "/usr/bin/" + name)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/usr/share/man/man1")
        #expect(Set(pages) == Set([name + ".1.gz"] + commands.map { "\(name)-\($0).1.gz" }))
    }

    @Test(arguments: ["feedserver", "feedclient"])
    func completionsAreValid(name: String) async throws {
        let folder = try await Self.extracted(name)
        let script = folder.path + "/usr/share/bash-completion/completions/" + name
        let checked = try await Tool.run("bash", ["-n", script])
        #expect(checked.code == 0 && checked.error.isEmpty, "\(checked.error)")
        let text = try String(contentsOfFile: script, encoding: .utf8)
        for command in try await CommandList.of(folder.path + "/usr/bin/" + name) {
            #expect(text.contains(command), "\(command)")
        }
    }

    @Test func unitsRunCommandsOfThePackage() async throws {
        let folder = try await Self.extracted("feedserver")
        let units = folder.path + "/usr/lib/systemd/system/"
        let commands = try await CommandList.of(folder.path + "/usr/bin/feedserver")
        for unit in ["feedserver.service", "feedserver-backup.service"] {
            let text = try String(contentsOfFile: units + unit, encoding: .utf8)
            let command = try #require(text.firstMatch(of: /(?m)^ExecStart=\/usr\/bin\/feedserver ([a-z]+)/)?.1)
            #expect(commands.contains(String(command)), "\(unit)")
        }
        #expect(FileManager.default.fileExists(atPath: units + "feedserver-backup.timer"))
        let configuration = try await Tool.run("dpkg-deb", ["--info", try Self.package("feedserver"), "conffiles"])
        #expect(configuration.text == "/etc/default/feedserver\n")
    }
}
