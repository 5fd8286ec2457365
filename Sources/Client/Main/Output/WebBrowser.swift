import FeedClientKit
import FeedTerminal
import Foundation

/// The web browser of the user: the one that `BROWSER` names, or on a desktop what opens links there.
struct WebBrowser {
    /// Debian's and that of the Windows Subsystem for Linux.
    private static let standard = ["xdg-open", "x-www-browser", "wslview"]

    /// The command that opens an address, in shell syntax. It may contain `%s` for the address.
    let command: String

    /// - Returns: `nil` if no browser is known that could show a page here.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let chosen = (environment["BROWSER"] ?? "").utf8.split(separator: UInt8(ascii: ":")).first.map {
            String(Substring($0))
        }
        guard let command = chosen ?? Self.standard(environment) else { return nil }
        self.command = command
    }

    /// Without a screen, as in a connection with SSH, the page would open on a machine where nobody sees it, or not at all.
    private static func standard(_ environment: [String: String]) -> String? {
        guard ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].contains(where: { environment[$0]?.isEmpty == false })
        else { return nil }
        return InstalledProgram.first(of: standard, path: environment["PATH"] ?? "")
    }

    /// Opens an address.
    /// - Parameter waits: Whether to wait until the browser ends, which a browser in the terminal requires.
    /// - Throws: ``FeedClientError`` `.failed` if the browser reports a failure, or the address is not a web address.
    func open(_ url: String, waits: Bool) throws {
        guard Self.isWebAddress(url) else {
            throw FeedClientError(.failed, "\(url) is not the address of a web page")
        }
        let end = waits ? (isatty(STDOUT_FILENO) == 1 ? "" : " >&2") : " >/dev/null 2>&1 &"
        guard system(Self.line(command, url) + end) == 0 else {
            throw FeedClientError(.failed, "The browser failed: \(command)", hint: "Check BROWSER, or open \(url).")
        }
    }

    /// The line for the shell.
    static func line(_ command: String, _ url: String) -> String {
        let word = ShellWord.quoted(url)
        return command.contains("%s") ? command.replacing("%s", with: word) : command + " " + word
    }

    /// Servers choose the addresses of statuses, and a browser opens files and starts programs, too.
    static func isWebAddress(_ url: String) -> Bool {
        guard let scheme = URL(string: url)?.scheme?.lowercased(), URL(string: url)?.host() != nil else { return false }
        return scheme == "https" || scheme == "http"
    }
}

/// Finds programs on this machine.
enum InstalledProgram {
    /// The first of some programs that is installed.
    /// - Parameter path: The variable `PATH`.
    static func first(of names: [String], path: String) -> String? {
        let folders = path.utf8.split(separator: UInt8(ascii: ":")).map { String(Substring($0)) }
        return names.first { name in folders.contains { access($0 + "/" + name, X_OK) == 0 } }
    }
}
