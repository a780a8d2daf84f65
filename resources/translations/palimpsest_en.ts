<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Archiving</name>
    <message numerus="yes">
        <source>%n chat(s) saved in {file}</source>
        <translation>
            <numerusform>%n chat saved in {file}</numerusform>
            <numerusform>%n chats saved in {file}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BandWords</name>
    <message numerus="yes">
        <source>%n tool definition(s)</source>
        <translation>
            <numerusform>%n tool definition</numerusform>
            <numerusform>%n tool definitions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Summary of %n message(s)</source>
        <translation>
            <numerusform>Summary of %n message</numerusform>
            <numerusform>Summary of %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) in brief</source>
        <translation>
            <numerusform>%n message in brief</numerusform>
            <numerusform>%n messages in brief</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BoardChip</name>
    <message numerus="yes">
        <source>{done} of %n task(s)</source>
        <translation>
            <numerusform>{done} of %n task</numerusform>
            <numerusform>{done} of %n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatWords</name>
    <message numerus="yes">
        <source>Folded %n message(s) · {before} → {after} tokens</source>
        <translation>
            <numerusform>Folded %n message · {before} → {after} tokens</numerusform>
            <numerusform>Folded %n messages · {before} → {after} tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take back what this turn changed in %n file(s)?</source>
        <translation>
            <numerusform>Take back what this turn changed in %n file?</numerusform>
            <numerusform>Take back what this turn changed in %n files?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It asked the model %n time(s)</source>
        <translation>
            <numerusform>It asked the model %n time</numerusform>
            <numerusform>It asked the model %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hook(s) of yours failed; the turn went on</source>
        <translation>
            <numerusform>%n hook of yours failed; the turn went on</numerusform>
            <numerusform>%n hooks of yours failed; the turn went on</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompactionWords</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n surge(s)</source>
        <translation>
            <numerusform>%n surge</numerusform>
            <numerusform>%n surges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) at 70 %</source>
        <translation>
            <numerusform>%n time at 70 %</numerusform>
            <numerusform>%n times at 70 %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) nearly full</source>
        <translation>
            <numerusform>%n time nearly full</numerusform>
            <numerusform>%n times nearly full</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slow start(s)</source>
        <translation>
            <numerusform>%n slow start</numerusform>
            <numerusform>%n slow starts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n loop(s)</source>
        <translation>
            <numerusform>%n loop</numerusform>
            <numerusform>%n loops</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DetailWords</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation>
            <numerusform>%n min ago</numerusform>
            <numerusform>%n min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation>
            <numerusform>%n h ago</numerusform>
            <numerusform>%n h ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>%n day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindingWords</name>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthWords</name>
    <message numerus="yes">
        <source>≈ %n turn(s) left</source>
        <translation>
            <numerusform>≈ %n turn left</numerusform>
            <numerusform>≈ %n turns left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportReport</name>
    <message numerus="yes">
        <source>%n chat(s) imported</source>
        <translation>
            <numerusform>%n chat imported</numerusform>
            <numerusform>%n chats imported</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportWords</name>
    <message numerus="yes">
        <source>%n chat(s) imported.</source>
        <translation>
            <numerusform>%n chat imported.</numerusform>
            <numerusform>%n chats imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) imported.</source>
        <translation>
            <numerusform>%n message imported.</numerusform>
            <numerusform>%n messages imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) are here already.</source>
        <translation>
            <numerusform>%n chat are here already.</numerusform>
            <numerusform>%n chats are here already.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were left out.</source>
        <translation>
            <numerusform>%n chat were left out.</numerusform>
            <numerusform>%n chats were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n part(s) could not be read in full:</source>
        <translation>
            <numerusform>%n part could not be read in full:</numerusform>
            <numerusform>%n parts could not be read in full:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Importing</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyCard</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LensWords</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Read again %n time(s) since</source>
        <translation>
            <numerusform>Read again %n time since</numerusform>
            <numerusform>Read again %n times since</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OnboardingView</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PreviewWords</name>
    <message numerus="yes">
        <source>%n pinned message(s)</source>
        <translation>
            <numerusform>%n pinned message</numerusform>
            <numerusform>%n pinned messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other recent message(s) of yours</source>
        <translation>
            <numerusform>%n other recent message of yours</numerusform>
            <numerusform>%n other recent messages of yours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n message(s)</source>
        <translation>
            <numerusform>The last %n message</numerusform>
            <numerusform>The last %n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %n turn(s)</source>
        <translation>
            <numerusform>after %n turn</numerusform>
            <numerusform>after %n turns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProviderWords</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProvidersPage</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PruningWords</name>
    <message numerus="yes">
        <source>%n artifact(s)</source>
        <translation>
            <numerusform>%n artifact</numerusform>
            <numerusform>%n artifacts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%n tool</numerusform>
            <numerusform>%n tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tested: it was up after {s} s, with %n tool(s).</source>
        <translation>
            <numerusform>Tested: it was up after {s} s, with %n tool.</numerusform>
            <numerusform>Tested: it was up after {s} s, with %n tools.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SidebarViewModel</name>
    <message numerus="yes">
        <source>Saved as {file}, with a sentence for %n original(s) that could not be read</source>
        <translation>
            <numerusform>Saved as {file}, with a sentence for %n original that could not be read</numerusform>
            <numerusform>Saved as {file}, with a sentence for %n originals that could not be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashPage</name>
    <message numerus="yes">
        <source>Delete %n chat(s) for good?</source>
        <translation>
            <numerusform>Delete %n chat for good?</numerusform>
            <numerusform>Delete %n chats for good?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) go, with their attachments, folds and summaries. Nothing brings them back.</source>
        <translation>
            <numerusform>%n message go, with their attachments, folds and summaries. Nothing brings them back.</numerusform>
            <numerusform>%n messages go, with their attachments, folds and summaries. Nothing brings them back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n original(s) that you keep for ever stay.</source>
        <translation>
            <numerusform>%n original that you keep for ever stay.</numerusform>
            <numerusform>%n originals that you keep for ever stay.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrashRow</name>
    <message numerus="yes">
        <source>goes for good in %n day(s)</source>
        <translation>
            <numerusform>goes for good in %n day</numerusform>
            <numerusform>goes for good in %n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VaultWords</name>
    <message numerus="yes">
        <source>%n original(s)</source>
        <translation>
            <numerusform>%n original</numerusform>
            <numerusform>%n originals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the model read %n line(s) again</source>
        <translation>
            <numerusform>the model read %n line again</numerusform>
            <numerusform>the model read %n lines again</numerusform>
        </translation>
    </message>
</context>
</TS>
