//! Remembering changes no number, whatever the table's size; nor does the machine.
