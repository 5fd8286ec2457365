import ArgumentParser
import FeedAPI
import FeedCore
import FeedStore
import FeedTerminal

/// `feedserver invite`.
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite people to sign up.",
        discussion: """
            Invitations work with serve --registration invite, approval (they replace the approval) and open. \
            The server may be running.
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an invitation and print its address.",
            discussion:
                "Without --base-url, uses that of the running server; if it has none, prints only the path of the address."
        )

        @OptionGroup var data: DataOptions
        @Option(help: "The number of accounts that can be created.") var uses = 1
        @Option(help: .init("When it expires: a number of s, m, h, d or w (default: 7d).", valueName: "time"))
        var expires: TimeSpan?
        @Option(
            name: .customLong("as"),
            help: .init("The account that invites, as shown to visitors.", valueName: "name"))
        var inviter: String?
        @OptionGroup var address: PublicAddressOption

        func validate() throws {
            guard (1...Invitation.usesLimit).contains(uses) else {
                throw ValidationError("--uses must be 1 to \(Invitation.usesLimit).")
            }
        }

        func run() async throws {
            try await Failure.reported {
                let invitation = try await data.use { database in
                    var account: Account?
                    if let inviter { account = try await database.account(inviter) }
                    return try await InvitationStore(database).invite(
                        inviter: account, uses: uses, lifetime: (expires ?? TimeSpan(days: 7)).milliseconds)
                }
                try address.printAddress(of: "/join/\(invitation.code)", data: data.folder)
                if ((try? RegistrationOptions.preset(.current)) ?? .closed) == .closed {
                    StandardError.line(
                        "note: people can sign up with it if the server has --registration invite, approval or open")
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all invitations.")

        @OptionGroup var data: DataOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() async throws {
            try await Failure.reported {
                let invitations = try await data.use { try await InvitationStore($0).invitations() }
                let now = WallClock.system.now()
                let format = json ? InvitationRenderer.json : InvitationRenderer.line
                for invitation in invitations { print(format(invitation, now)) }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke an invitation.", discussion: "Accounts that were created with it stay.")

        @OptionGroup var data: DataOptions
        @Argument(help: "The code of the invitation, the last part of its address.") var code: String

        func run() async throws {
            try await Failure.reported {
                guard try await data.use({ try await InvitationStore($0).revoke(code: code) }) else {
                    throw FeedError(
                        .notFound, "no such invitation: \(SafeText.line(code))",
                        hint: "feedserver invite list shows all invitations.")
                }
                StandardError.line("revoked the invitation")
            }
        }
    }
}

/// Formats invitations for the command line.
private enum InvitationRenderer {
    /// - Parameter now: Milliseconds since 1970.
    static func line(_ invitation: Invitation, at now: Int64) -> String {
        let state = invitation.isUsable(at: now) ? "" : "  ended"
        let inviter = invitation.inviter.map { "  by " + SafeText.line($0.username) } ?? ""
        return "\(invitation.code)  used \(invitation.uses) of \(invitation.maximumUses)"
            + "  expires \(ISO8601.text(milliseconds: invitation.expiresAt))\(inviter)\(state)"
    }

    /// - Parameter now: Milliseconds since 1970.
    static func json(_ invitation: Invitation, at now: Int64) -> String {
        var json = JSONWriter()
        json.object {
            $0.field("code", invitation.code)
            $0.field("uses", invitation.uses)
            $0.field("max_uses", invitation.maximumUses)
            $0.field("created_at", time: invitation.createdAt)
            $0.field("expires_at", time: invitation.expiresAt)
            $0.field("inviter", invitation.inviter?.username)
            $0.field("usable", invitation.isUsable(at: now))
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// A period of time as an argument: a number with the unit `s`, `m`, `h`, `d` or `w`, such as `7d`.
struct TimeSpan: Equatable {
    /// Ten years, in milliseconds.
    private static let maximum: Int64 = 3650 * 86_400_000

    /// Always positive.
    let milliseconds: Int64

    init(days: Int64) { milliseconds = days * 86_400_000 }
}

extension TimeSpan: ExpressibleByArgument {
    init?(argument: String) {
        let units: [Character: Int64] = [
            "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000,
        ]
        let digits = argument.dropLast()
        guard let unit = argument.last.flatMap({ units[$0] }), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let count = Int64(digits)
        else { return nil }
        let (product, overflows) = count.multipliedReportingOverflow(by: unit)
        guard !overflows, (1...Self.maximum).contains(product) else { return nil }
        milliseconds = product
    }
}
