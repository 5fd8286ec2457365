import FeedCore

extension GermanText {
    func tab(_ tab: AdminTab) -> String {
        switch tab {
        case .overview: "Übersicht"
        case .signUps: "Registrierungen"
        case .invitations: "Einladungen"
        case .accounts: "Konten"
        case .reports: "Meldungen"
        case .logins: "Fehlgeschlagene Anmeldungen"
        case .settings: "Einstellungen"
        }
    }

    var load: String { "Last und Größen" }
    var toDo: String { "Zu erledigen" }
    func signUpsToApprove(_ count: Int) -> String {
        count == 0
            ? "Keine Registrierungen zu genehmigen"
            : count == 1 ? "1 Registrierung zu genehmigen" : "\(count) Registrierungen zu genehmigen"
    }
    func reportsToResolve(_ count: Int) -> String {
        count == 0
            ? "Keine Meldungen zu erledigen" : count == 1 ? "1 Meldung zu erledigen" : "\(count) Meldungen zu erledigen"
    }
    var noFailedLogins: String { "Keine, seit dieser Server gestartet wurde." }

    func failure(_ reason: LoginFailure.Reason) -> String {
        switch reason {
        case .unknownName: "unbekannter Name"
        case .wrongPassword: "falsches Passwort"
        case .suspended: "gesperrt"
        case .pending: "wartet auf Genehmigung"
        case .tooLong: "Name oder Passwort zu lang"
        case .throttled: "zu viele Fehlversuche"
        case .unavailable: "nicht verfügbar"
        }
    }

    func from(_ address: String) -> String { "von \(address)" }
    var settingsInForce: String { "Geltende Einstellungen" }
    func source(_ source: EffectiveSetting.Source) -> String {
        switch source {
        case .option: "Befehlszeile"
        case .variable(let name): name
        case .file: "Datei"
        case .standard: "Standard"
        }
    }
    var notSet: String { "nicht gesetzt" }
    var nothing: String { "nicht vorhanden" }

    // Sign-ups and invitations

    var nobodyAwaitsApproval: String { "Niemand wartet auf Genehmigung." }
    var approve: String { "Genehmigen" }
    func used(_ uses: Int, of maximum: Int) -> String { "\(uses) von \(maximum) verwendet" }
    var ended: String { "nicht mehr gültig" }
    func lasts(until time: String) -> String { "bis \(time)" }
    func by(_ name: String) -> String { "von @\(name)" }

    // Accounts

    var noSuchAccounts: String { "Keine passenden Konten." }
    var allAccounts: String { "Alle Konten" }

    func mark(_ mark: AccountMark) -> String {
        switch mark {
        case .administrator: "Admin"
        case .pending: "wartet auf Genehmigung"
        case .suspended: "gesperrt"
        case .silenced: "stummgeschaltet"
        }
    }

    var active: String { "aktiv" }

    func state(_ state: AccountSelection.State) -> String {
        switch state {
        case .active: "Aktiv"
        case .silenced: "Stummgeschaltet"
        case .suspended: "Gesperrt"
        case .pending: "Wartet auf Genehmigung"
        case .disabled: "Deaktiviert"
        }
    }

    var anyState: String { "Beliebig" }

    func role(_ role: Account.Role) -> String {
        switch role {
        case .member: "Mitglied"
        case .admin: "Admin"
        }
    }

    func fact(_ fact: AccountFact) -> String {
        switch fact {
        case .name: "Name"
        case .email: "E-Mail-Adresse"
        case .role: "Rolle"
        case .state: "Status"
        case .password: "Passwort"
        case .joined: "Registriert"
        case .lastPost: "Letzter Beitrag"
        case .posts: "Beiträge"
        case .followers: "Follower"
        case .reason: "Grund der Registrierung"
        }
    }

    var passwordIsSet: String { "gesetzt" }
    func joinedIn(_ month: String) -> String { "seit \(month)" }
    var makeReset: String { "Link für ein neues Passwort erstellen" }
    func of(_ name: String) -> String { "für \(name)" }
    var silence: String { "Stummschalten" }
    var unsilence: String { "Stummschaltung aufheben" }
    var suspend: String { "Sperren" }
    var restore: String { "Entsperren" }
    var promote: String { "Zum Admin machen" }
    var remove: String { "Löschen" }
    var removeForGood: String { "Konto endgültig löschen" }
    func removeQuestion(_ name: String) -> String { "@\(name) löschen?" }
    func removalWarning(of name: String) -> String {
        """
        Profil, Beiträge, Dateien, Follower-Beziehungen, Favoriten, Benachrichtigungen und Anmeldungen von @\(name) \
        werden für alle gelöscht. Das lässt sich nicht rückgängig machen.
        """
    }
    func otherNameStays(_ name: String) -> String { "Niemand sonst kann den Namen @\(name) bekommen." }
    var demote: String { "Zum Mitglied machen" }

    // Reports

    var openReports: String { "Offene Meldungen" }
    var resolvedReports: String { "Erledigte Meldungen" }
    var noSuchReports: String { "Keine passenden Meldungen." }
    func adminReport(of name: String) -> String { "Meldung von @\(name)" }
    var reportedPosts: String { "Gemeldete Beiträge" }
    func reportTitle(_ reporter: String, _ target: String, _ category: Report.Category) -> String {
        "@\(reporter) meldet @\(target): \(name(of: category))"
    }

    func name(of category: Report.Category) -> String {
        switch category {
        case .spam: "Spam"
        case .legal: "rechtswidrig"
        case .violation: "Regelverstoß"
        case .other: "Sonstiges"
        }
    }

    var openReport: String { "offen" }
    func openReport(assignedTo name: String) -> String { "offen, zugewiesen an @\(name)" }
    func resolved(by name: String?, at time: String) -> String {
        "erledigt von \(name.map { "@" + $0 } ?? "der Serverleitung"), \(time)"
    }

    func reportFact(_ fact: ReportFact) -> String {
        switch fact {
        case .reported: "Gemeldet"
        case .by: "Von"
        case .when: "Wann"
        case .reason: "Grund"
        case .state: "Status"
        case .comment: "Kommentar"
        case .rules: "Regeln"
        case .deletedPosts: "Gelöschte Beiträge"
        }
    }

    var resolve: String { "Erledigen" }
    var reopen: String { "Wieder öffnen" }
    var assignToMe: String { "Mir zuweisen" }
    var unassign: String { "Zuweisung aufheben" }
    func silencing(_ name: String) -> String { "\(name) stummschalten" }
    func suspending(_ name: String) -> String { "\(name) sperren" }
}
